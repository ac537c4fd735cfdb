import type { Sequence } from '../../../event-sourcing/ports/sequence.ts'

/** The last number of each category that was handed out. */
export type SequenceNumbers = Map<string, number>

/**
 * Hands out the numbers of a category from memory. One process owns the file, so a number needs no write of its own: the
 * writer stores the last ones with each batch, so in the same transaction as, or before, the append that uses it. A number
 * that was handed out but never used may be handed out again after a crash: nothing of it was ever written.
 */
export function createSequence(numbers: SequenceNumbers, category: string): Sequence {
  return {
    async next() {
      const number = (numbers.get(category) ?? 0) + 1
      numbers.set(category, number)
      return number
    },
  }
}
