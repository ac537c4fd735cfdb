/**
 * Hands out 1, 2, 3, …: a number that a durable commit uses is never handed out again, in any process, across crashes;
 * gaps are allowed. On some engines a number that no commit came to use may come again after a crash.
 */
export interface Sequence {
  next(): Promise<number>
}
