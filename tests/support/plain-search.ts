/** What search and exact filters promise, as simply as possible: character by character, without an index. */

const AS_ASCII: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'‘’‛ʼ´`'].map((apostrophe) => [apostrophe, "'"])),
  ...Object.fromEntries([...'“”„‟«»'].map((quote) => [quote, '"'])),
  ...Object.fromEntries([...'‐‑‒–—―−'].map((dash) => [dash, '-'])),
}

/** White_Space in Unicode's PropList.txt. */
const WHITE_SPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'

/** The folded characters of a text, as they are compared. */
export function plainFold(text: string): string {
  const decomposed = [...text.normalize('NFC')].map(asAscii).join('').normalize('NFKD')
  return [...decomposed]
    .filter((character) => !/\p{Mn}/u.test(character))
    .map((character) => (character === 'ı' ? 'ı' : character.toLowerCase().toUpperCase().toLowerCase()))
    .map(asAscii)
    .join('')
}

/** Whether each word of a search occurs in one of the texts. */
export function isFoundPlainly(search: string, texts: readonly string[]): boolean {
  return plainSearch(search)(texts)
}

/** The same for the texts of many rows. */
export function plainSearch(search: string): (texts: readonly string[]) => boolean {
  const words = wordsOf(plainFold(search))
  return (texts) => words.every((word) => texts.some((text) => foldedOnce(text).includes(word)))
}

/** Whether two whole values are the same apart from white space at their ends. */
export const isSamePlainly = (one: string, other: string): boolean =>
  withoutEnds(plainFold(one)) === withoutEnds(plainFold(other))

/** Cached, as scanning many rows folds the same texts for each search. */
const folded = new Map<string, string>()

function foldedOnce(text: string): string {
  const known = folded.get(text)
  if (known !== undefined) return known
  const fold = plainFold(text)
  folded.set(text, fold)
  return fold
}

const asAscii = (character: string): string => AS_ASCII[character] ?? character
const isWhite = (character: string): boolean => WHITE_SPACE.includes(character)

function wordsOf(text: string): string[] {
  const words = ['']
  for (const character of text) {
    if (isWhite(character)) words.push('')
    else words.push(`${words.pop()}${character}`)
  }
  return words.filter((word) => word !== '')
}

function withoutEnds(text: string): string {
  const characters = [...text]
  const first = characters.findIndex((character) => !isWhite(character))
  const last = characters.findLastIndex((character) => !isWhite(character))
  return first < 0 ? '' : characters.slice(first, last + 1).join('')
}
