/** Hands out 1, 2, 3, …: a number is never handed out twice, in any process, across crashes; gaps are allowed. */
export interface Sequence {
  next(): Promise<number>
}
