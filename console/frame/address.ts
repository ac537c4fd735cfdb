/** What the hash of an address names: a page, and what it shows. */
export interface Address {
  /** Begins with a slash: `/contracts/7`. */
  readonly path: string
  readonly query: Query
}

/** Parameters by name; none is empty. */
export type Query = Readonly<Record<string, string>>

/** The parameter of the date that the whole console shows, which every link passes on. */
export const AS_OF = 'asOf'

/** Parses the hash of a URL. Never throws. */
export function parseAddress(hash: string): Address {
  const [path = '', ...rest] = hash.replace(/^#/, '').split('?')
  const query = Object.fromEntries([...new URLSearchParams(rest.join('?'))].filter(([, value]) => value !== ''))
  return { path: path.startsWith('/') ? path : `/${path}`, query }
}

/** The hash that names an address; parameters that are empty are left out. */
export function formatAddress(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const text = new URLSearchParams(given).toString()
  return text === '' ? `#${path}` : `#${path}?${text}`
}

/** What a template such as `/contracts/:id` finds in a path, decoded; undefined if it doesn't match. */
export function matchPath(template: string, path: string): Query | undefined {
  const [parts, given] = [template.split('/'), path.split('/')]
  if (parts.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const text = decoded(given[index] ?? '')
    if (text === undefined) return undefined
    if (!part.startsWith(':')) {
      if (part !== text) return undefined
    } else if (text === '') return undefined
    else found[part.slice(1)] = text
  }
  return found
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
