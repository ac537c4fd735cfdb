import type { Sequence } from '../../event-sourcing/ports/sequence.ts'

/** The last number issued in each category. */
export type SequenceNumbers = Map<string, number>

/**
 * Issues the numbers of a category from memory. One process owns the file, so a number needs no separate write: the
 * writer stores the last ones with each batch, so no later than the append that uses them. A number that was issued but
 * never used may be issued again after a crash: nothing with it was ever written.
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
