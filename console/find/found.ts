import { bareText } from '../format/fold.ts'

/** Something that a text finds, and the page that shows it. */
export interface Found {
  readonly kind: 'Contract' | 'Business' | 'Client' | 'Page'
  readonly name: string
  readonly path: string
}

/** A page, by its name in the navigation. */
export interface NamedPage {
  readonly path: string
  readonly inNavigation?: string
}

/** The pages whose name begins with a text. */
export function findPages(pages: readonly NamedPage[], text: string): readonly Found[] {
  const begins = (name: string) => name.toLocaleLowerCase().startsWith(text.trim().toLocaleLowerCase())
  return pages.flatMap(({ path, inNavigation: name }) =>
    name !== undefined && begins(name) ? [{ kind: 'Page', name, path }] : [],
  )
}

/** The number of a contract that a text names, as in `7`, `#7` or, if that is the word for a contract, `Contract 7`. */
export function numberIn(text: string, kind: string): number | undefined {
  const [, word = '', digits] = /^\s*(\p{Letter}*)\s*#?\s*(\d{1,15})\s*$/u.exec(text) ?? []
  if (word !== '' && bareText(word) !== bareText(kind)) return undefined
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits)
}
