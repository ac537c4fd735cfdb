/** A slice of the keys with what was counted in it, and how the view stood there. */
export interface CountedSlice {
  readonly lower: bigint
  readonly upper: bigint
  readonly found: number
  /** How many entries of the counts it spans, and the sum of their changes: both only ever grow. */
  readonly entries: number
  readonly changes: number
}

/** The slices of one question, by their highest key. */
export type CountedSlices = Map<bigint, CountedSlice>

/**
 * Remembers what searches and filters counted, so that the next page of the same list counts only where something was
 * written since.
 */
export interface SliceMemory {
  /** The slices of a question, empty at first; what is put in there is remembered. */
  of(question: string): CountedSlices
}

/** Some tens of slices each, of some hundred bytes. */
const QUESTIONS = 100

/** A memory of the questions asked last. */
export function createSliceMemory(): SliceMemory {
  const questions = new Map<string, CountedSlices>()
  return {
    of(question) {
      const slices = questions.get(question) ?? new Map()
      // Put in anew, so that the question not asked for longest comes first and is the one to go.
      questions.delete(question)
      questions.set(question, slices)
      if (questions.size > QUESTIONS) questions.delete(questions.keys().next().value ?? question)
      return slices
    },
  }
}
