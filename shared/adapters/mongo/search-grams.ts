const LENGTH = 3
/** Follows the end of a text, so that its last characters are found too; no text has it. */
const END = '\0'

/**
 * The distinct runs of three characters (code points) in a folded text and two ends of text after it: every part of
 * the text that is shorter than three begins one of them, every longer one is made of them.
 */
export function gramsOf(text: string): string[] {
  return text === '' ? [] : windows([...text, END, END])
}

/** What a folded text must hold to be found by a term. */
export type GramTerm =
  /** One of its grams begins with the term. */
  | { readonly type: 'prefix'; readonly from: string; readonly to: string }
  /** It has the gram, which is the term. */
  | { readonly type: 'gram'; readonly gram: string }
  /** It has all of the grams: the text is still to be looked through. */
  | { readonly type: 'grams'; readonly grams: readonly string[] }

export function toGramTerm(term: string): GramTerm {
  const characters = [...term]
  if (characters.length < LENGTH) return { type: 'prefix', from: term, to: `${term}\u{10FFFF}` }
  const grams = windows(characters)
  return characters.length === LENGTH ? { type: 'gram', gram: term } : { type: 'grams', grams }
}

function windows(characters: readonly string[]): string[] {
  const grams = new Set<string>()
  for (let start = 0; start + LENGTH <= characters.length; start++) {
    grams.add(characters.slice(start, start + LENGTH).join(''))
  }
  return [...grams]
}
