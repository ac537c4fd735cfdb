import { LRUCache } from 'lru-cache'
import type { FeedPage, FeedQuery } from '../events/feed.ts'

/** Reads a page of the feed, after a cursor and within a time range. */
export type ReadPage = (range: Pick<FeedQuery, 'after' | 'since' | 'until'>) => Promise<FeedPage>

/** Enough for webhooks at different positions, and little memory. */
const MAX_PAGES = 20

/** Reads the feed once for all webhooks at the same position: a page that has events never changes. */
export function sharingPages(read: ReadPage): ReadPage {
  const pages = new LRUCache<string, Promise<FeedPage>>({ max: MAX_PAGES })
  return (range) => {
    const key = JSON.stringify([range.after, range.since, range.until])
    const known = pages.get(key)
    if (known) return known
    const page = read(range)
    const forget = (): boolean => pages.get(key) === page && pages.delete(key)
    pages.set(key, page)
    page.then(({ events }) => events.length === 0 && forget(), forget)
    return page
  }
}
