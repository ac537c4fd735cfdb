/**
 * Issues 1, 2, 3, …, possibly with gaps. A number used by a durable commit is never issued again, in any process, across
 * crashes. On some engines, a number that no commit has used may be issued again after a crash.
 */
export interface Sequence {
  next(): Promise<number>
}

/**
 * The highest number that a sequence can plausibly have reached: at a million a second, it would take a century. A higher
 * one is damage or an attack: from 2⁵³ on, numbers are no longer exact, so nothing more could be numbered.
 */
export const MAX_SEQUENCE_NUMBER = 2 ** 52
