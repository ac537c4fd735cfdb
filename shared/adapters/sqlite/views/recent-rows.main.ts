import { LRUCache } from 'lru-cache'
import type { Page, ViewRow } from '../../../event-sourcing/ports/view.ts'

export type RecentRows = ReturnType<typeof createRecentRows>

/**
 * How much of a view is cached, in characters of its states' JSON, and as much again for its pages: a few megabytes as
 * objects, including the messages and JSON cached with them.
 */
const MAX_CHARACTERS = 1_000_000

/**
 * Creates a cache of recently read rows of one view: reading a row from SQLite takes a seventh of a GET's CPU time, and
 * reading a list of 50 more than everything else in that request. The cache never differs from the tables, since one
 * process owns the file and every append passes through here: while an append is in progress, the rows that it writes
 * aren't cached but read from the tables. So no reader goes back in time, even if another query or the log shows the
 * commit before the writer has reported it.
 */
export function createRecentRows() {
  const rows = new LRUCache<string, ViewRow>({ maxSize: MAX_CHARACTERS })
  const pages = new LRUCache<string, Page<unknown>>({ maxSize: MAX_CHARACTERS })
  const writesInProgress = new Map<string, number>()
  return {
    /** The row if it is cached. */
    find: (id: string) => rows.get(id),
    /** Caches a row that was just read, unless it is being written. `characters`: length of its state's JSON. */
    store(row: ViewRow, characters: number) {
      if (!writesInProgress.has(row.id)) rows.set(row.id, row, { size: characters })
    },
    /** The page of this name, if it is cached; pages are dropped when a row is written. Most lists don't change. */
    findPage: (name: string) => pages.get(name),
    /** Caches a page that was just read, unless a row is being written. */
    storePage(name: string, page: Page<unknown>) {
      if (writesInProgress.size > 0) return
      const ids = page.rows.map(({ id }) => id)
      const characters = ids.reduce((sum, id) => sum + (rows.info(id)?.size ?? MAX_CHARACTERS), 1)
      pages.set(name, page, { size: characters })
    },
    /** From now on the row isn't cached, until `endWrite` has been called as often. */
    beginWrite(id: string) {
      rows.delete(id)
      pages.clear()
      writesInProgress.set(id, (writesInProgress.get(id) ?? 0) + 1)
    },
    endWrite(id: string) {
      const others = (writesInProgress.get(id) ?? 0) - 1
      if (others > 0) writesInProgress.set(id, others)
      else writesInProgress.delete(id)
    },
    /** Empties the cache, when reads switch to other tables. */
    clear() {
      rows.clear()
      pages.clear()
    },
  }
}
