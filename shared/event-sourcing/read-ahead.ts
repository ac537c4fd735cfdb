import { BEGINNING, type Position } from './event.ts'

/**
 * Reads a log in batches up to its head; `readAfter` returns the items after a position, in order, none at the head. The
 * next batch is requested while the caller processes the current one, so that engine and caller work in parallel.
 */
export async function* readAhead<Item extends { readonly position: Position }>(
  readAfter: (position: Position) => Promise<readonly Item[]>,
  after: Position = BEGINNING,
): AsyncGenerator<readonly Item[]> {
  let next = readAfter(after)
  for (;;) {
    const batch = await next
    const last = batch.at(-1)
    if (last === undefined) return
    next = readAfter(last.position)
    // Awaited above, if at all; silences the unhandled-rejection warning.
    next.catch(() => undefined)
    yield batch
  }
}
