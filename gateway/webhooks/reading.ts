import { PIECE_BYTES } from '../../shared/budget/pace.ts'
import { createLanes } from '../../shared/calls/lanes.ts'
import type { FeedPage, FeedQuery } from '../events/feed.ts'

/** Reads a page of the feed, after a cursor and within a time range. */
export type ReadPage = (range: Pick<FeedQuery, 'after' | 'since' | 'until'>) => Promise<FeedPage>

/** How many pages are read at once. */
const MAX_READS = 4

/** In characters, of the events that were read since all were last stored: until then, they are in memory. */
const MAX_UNSTORED = 16 * PIECE_BYTES

/**
 * Reads a few pages at once for all webhooks, which may be at a hundred positions of long events, and shares a page with
 * all that ask for it meanwhile. Stores what was read before it becomes too much.
 */
export function readingInTurn(readPage: ReadPage, store: () => Promise<void>): ReadPage {
  const inTurn = createLanes(MAX_READS)
  const pages = new Map<string, Promise<FeedPage>>()
  let unstored = 0

  return (range) => {
    const key = JSON.stringify(range)
    const known = pages.get(key)
    if (known) return known
    const reading = inTurn('', async () => {
      if (unstored > MAX_UNSTORED) {
        await store()
        unstored = 0
      }
      const page = await readPage(range)
      for (const { data } of page.events) unstored += data.length
      return page
    })
    const shared = reading.finally(() => pages.delete(key))
    pages.set(key, shared)
    return shared
  }
}
