const LENGTH = 3

/**
 * The runs of three characters (code points) in a folded text, one beginning at each character; the last two are
 * shorter. Every part of the text that is shorter than three begins one of them, every longer one is made of them.
 */
export function gramsOf(text: string): string[] {
  const characters = [...text]
  const isOfSingleUnits = characters.length === text.length
  return characters.map((_, start) =>
    isOfSingleUnits ? text.slice(start, start + LENGTH) : characters.slice(start, start + LENGTH).join(''),
  )
}

/** What a folded text must hold to be found by a term. */
export type GramTerm =
  /** A gram that begins with the term. */
  | { readonly type: 'prefix'; readonly prefix: string }
  /** All of these grams, each so many characters after the first. */
  | { readonly type: 'phrase'; readonly grams: readonly PhraseGram[] }

interface PhraseGram {
  readonly gram: string
  readonly offset: number
}

/** The fewest grams that cover the term: whatever has them at these offsets has the term, and nothing else has. */
export function toGramTerm(term: string): GramTerm {
  const grams = gramsOf(term)
  const last = grams.length - LENGTH
  if (last < 0) return { type: 'prefix', prefix: term }
  const offsets = Array.from({ length: Math.ceil(grams.length / LENGTH) }, (_, index) => Math.min(index * LENGTH, last))
  return { type: 'phrase', grams: offsets.map((offset) => ({ gram: grams[offset] ?? '', offset })) }
}
