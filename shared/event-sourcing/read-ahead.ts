import { BEGINNING, type Position } from './event.ts'

/** A log to be read in batches. */
export interface LogBatches<Item> {
  /** The items after a position, in order; none at the log's head. */
  readAfter(position: Position): Promise<readonly Item[]>
  /** The position to continue after. */
  positionOf(item: Item): Position
}

/**
 * Reads a log in batches up to its head. The next batch is requested while the caller processes the current one, so
 * that engine and caller work in parallel.
 */
export async function* readAhead<Item>(
  { readAfter, positionOf }: LogBatches<Item>,
  after: Position = BEGINNING,
): AsyncGenerator<readonly Item[]> {
  let next = readAfter(after)
  for (;;) {
    const batch = await next
    const last = batch.at(-1)
    if (last === undefined) return
    next = readAfter(positionOf(last))
    // Awaited above, if at all; silences the unhandled-rejection warning.
    next.catch(() => undefined)
    yield batch
  }
}
