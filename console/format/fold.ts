/** What spellings of the same words have in common: letters and digits only, without case and accents. */
export function bareText(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '')
}

const { compare } = new Intl.Collator(undefined, { sensitivity: 'base' })

/** The text in use that begins with what is typed; undefined: there is none. */
export function completed(typed: string, inUse: readonly string[]): string | undefined {
  if (typed.trim() === '') return undefined
  return inUse.find((text) => text.length > typed.length && compare(text.slice(0, typed.length), typed) === 0)
}
