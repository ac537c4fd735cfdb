/**
 * Issues 1, 2, 3, …: a number used by a durable commit is never issued again, in any process, across crashes; gaps are
 * allowed. On some engines a number that no commit has used may be issued again after a crash.
 */
export interface Sequence {
  next(): Promise<number>
}

/**
 * The last number that a sequence may have reached: with a million a second it would take a century. A higher one is
 * damage, or somebody's intent: from 2⁵³ on, numbers aren't exact any more, so nothing could be numbered.
 */
export const LAST_NUMBER = 2 ** 52
