/** The approximate size of the pieces in which a long answer is made. */
export const PIECE_BYTES = 256 * 1024
/** How many rows to read before their size is known: of the longest events of a history, so many are about a piece. */
const FIRST_ROWS = 4
/** The most that the number of rows grows from one piece to the next, since later rows may be larger. */
const MAX_GROWTH = 4

/** How many rows to read at a time so that each piece of an answer has about PIECE_BYTES, whatever the size of rows. */
export type Pace = ReturnType<typeof createPace>

/** Starts with few rows, unless more are known to fit; never returns more than `max`. */
export function createPace(max: number, first = FIRST_ROWS) {
  let rows = Math.min(first, max)
  return {
    rows: () => rows,
    /** Takes into account that `count` rows resulted in a text of this length. */
    learn(count: number, length: number): void {
      const fitting = Math.floor((PIECE_BYTES * count) / Math.max(1, length))
      rows = Math.max(1, Math.min(max, MAX_GROWTH * rows, fitting))
    },
  }
}

/**
 * Items in pieces of about this many bytes, in their order, so that neither time nor memory for a piece grows with the
 * items. Only the last item of a piece may exceed that.
 */
export function* piecesOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  bytes = PIECE_BYTES,
): Generator<readonly Item[]> {
  let [piece, size]: [Item[], number] = [[], 0]
  for (const item of items) {
    piece.push(item)
    size += sizeOf(item)
    if (size < bytes) continue
    yield piece
    ;[piece, size] = [[], 0]
  }
  if (piece.length > 0) yield piece
}
