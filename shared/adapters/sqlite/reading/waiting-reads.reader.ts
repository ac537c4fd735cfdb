const isList = (kind: string): boolean => kind === 'list'

/**
 * Takes the read that begins next, beside those under way of these kinds; undefined: none may. Reports of a million rows
 * take 100 MB each, so they take turns, and lists never wait for them.
 */
export function takeNext<Request extends { readonly kind: string }>(waiting: Request[], underWay: readonly string[]) {
  const mayBegin = underWay.every(isList) ? () => true : isList
  const index = waiting.findIndex(({ kind }) => mayBegin(kind))
  return index < 0 ? undefined : waiting.splice(index, 1)[0]
}
