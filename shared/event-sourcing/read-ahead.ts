import { BEGINNING, type Position } from './event.ts'

/** How to read a log in batches. */
export interface LogBatches<Item> {
  /** What comes after a position, in order; nothing at the log's head. */
  readAfter(position: Position): Promise<readonly Item[]>
  /** Where to go on after it. */
  positionOf(item: Item): Position
}

/**
 * Goes through a log, batch by batch, up to its head; the next batch is asked for while the caller is at the one
 * before, so that engine and caller work at the same time.
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
    // It may fail while nobody waits for it yet, or any more.
    next.catch(() => undefined)
    yield batch
  }
}
