import type { Sequence } from '../../event-sourcing/ports/sequence.ts'
import type { SequenceMarks } from './writing/writer.ts'

/** The sequences of a database: numbers from memory, kept durable by the writer's next batch. */
export interface Sequences extends SequenceMarks {
  sequence(category: string): Sequence
  /** Makes a sequence go on after a number, unless it has come further. */
  raise(category: string, to: number): void
  /** Goes on from the numbers that the file has. */
  start(marks: readonly (readonly [category: string, last: number])[]): void
}

/**
 * One process owns the file, so a number needs no write of its own: it is kept in the same transaction as, or before,
 * the append that uses it. A number that was handed out but never used may be handed out again after a crash: nothing
 * of it was ever written.
 */
export function createSequences(): Sequences {
  const last = new Map<string, number>()
  const kept = new Map<string, number>()
  return {
    sequence: (category) => ({
      async next() {
        const number = (last.get(category) ?? 0) + 1
        last.set(category, number)
        return number
      },
    }),
    raise: (category, to) => void last.set(category, Math.max(to, last.get(category) ?? 0)),
    start(marks) {
      for (const [category, number] of marks) {
        last.set(category, number)
        kept.set(category, number)
      }
    },
    unkept: () => [...last].filter(([category, number]) => number !== kept.get(category)),
    keep(marks) {
      for (const [category, number] of marks) kept.set(category, number)
    },
  }
}
