/** The parameters by which the request for the next page differs from the one that was answered. */
export type NextPage = Readonly<Record<string, string | number>>

interface Query {
  readonly limit: number
  readonly offset?: number | undefined
  readonly after?: string | number | undefined
}

interface Answered {
  /** How many rows the page has. */
  readonly count: number
  readonly total: number
  /** The id of the last one, where the list takes `after`. */
  readonly last?: string | number | undefined
}

/**
 * The parameters of the next page: `after` if the request had it, else `offset`; undefined if this is the last page.
 * How many rows follow a cursor isn't known, so the next page may be empty.
 */
export function nextPage({ limit, offset = 0, after }: Query, { count, total, last }: Answered): NextPage | undefined {
  if (after !== undefined) return last !== undefined && count === limit && count < total ? { after: last } : undefined
  return count > 0 && offset + count < total ? { offset: offset + count } : undefined
}

/** The `Link` header to the next page (RFC 8288), with everything else as in the request; `query` has its `?`. */
export function nextLink({ path, query }: Readonly<Record<'path' | 'query', string>>, next: NextPage): string {
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(next)) parameters.set(name, `${value}`)
  return `<${path}?${parameters}>; rel="next"`
}
