/** About how many bytes of text a long answer is made of at a time. */
export const PIECE_BYTES = 256 * 1024
/** Rows asked for before anything is known of their size. */
const FIRST = 10
/** Rows may become larger from one piece to the next: so the number of them grows step by step. */
const GROWTH = 4

/** How many rows to ask for at a time, so that a piece of an answer is of about PIECE_BYTES, however long they are. */
export type Pace = ReturnType<typeof createPace>

/** Begins with few rows, unless more are known to fit; never asks for more than `most`. */
export function createPace(most: number, first = FIRST) {
  let rows = Math.min(first, most)
  return {
    rows: () => rows,
    /** Records that `count` rows became a text of this length. */
    learn(count: number, length: number): void {
      const fitting = Math.floor((PIECE_BYTES * count) / Math.max(1, length))
      rows = Math.max(1, Math.min(most, GROWTH * rows, fitting))
    },
  }
}
