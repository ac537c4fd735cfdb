import { LRUCache } from 'lru-cache'
import type { Page, ViewRow } from '../../../event-sourcing/ports/view.ts'

export type RecentRows = ReturnType<typeof createRecentRows>

/**
 * How much of a view is cached, in characters of its states' JSON, and as much again for its pages: some megabytes as
 * objects, including the messages and JSON cached with them.
 */
const MAX_CHARACTERS = 1_000_000

/**
 * Creates a cache of recently read rows of one view: reading a row from SQLite takes a seventh of a GET's CPU time, and
 * reading a list of 50 more than everything else in that request. The cache never differs from the tables, since one
 * process owns the file and every append passes through here: from the time an append is sent to the writer until it
 * has ended, the rows that it writes are read from the tables each time. So no reader goes back in time, even if
 * another query or the log shows the commit before the writer has reported it.
 */
export function createRecentRows() {
  const rows = new LRUCache<string, ViewRow>({ maxSize: MAX_CHARACTERS })
  const pages = new LRUCache<string, Page<unknown>>({ maxSize: MAX_CHARACTERS })
  const writesInProgress = new Map<string, number>()
  return {
    /** The row if it is cached. */
    find: (id: string) => rows.get(id),
    /** Caches a row that was just read, unless it is being written. `characters`: length of its state's JSON. */
    keep(row: ViewRow, characters: number) {
      if (!writesInProgress.has(row.id)) rows.set(row.id, row, { size: characters })
    },
    /** The page of this name, if cached and no row was written since: most lists are requested again unchanged. */
    findPage: (name: string) => pages.get(name),
    /** Caches a page that was just read, unless a row is being written. */
    keepPage(name: string, page: Page<unknown>) {
      if (writesInProgress.size > 0) return
      const ids = page.rows.map(({ id }) => id)
      const characters = ids.reduce((sum, id) => sum + (rows.info(id)?.size ?? MAX_CHARACTERS), 1)
      pages.set(name, page, { size: characters })
    },
    /** The row is not cached until `endWrite` has been called as often. */
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
    /** Empties the cache, because other tables are read from now on. */
    clear() {
      rows.clear()
      pages.clear()
    },
  }
}
