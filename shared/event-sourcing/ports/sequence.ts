/**
 * Issues 1, 2, 3, …: a number used by a durable commit is never issued again, in any process, across crashes; gaps are
 * allowed. On some engines a number that no commit has used may be issued again after a crash.
 */
export interface Sequence {
  next(): Promise<number>
}
