import { LRUCache } from 'lru-cache'
import type { Page, ViewRow } from '../../../../event-sourcing/ports/view.ts'

/**
 * How much of a view is cached, in characters of its states' JSON text, and as much again of its pages: some megabytes as
 * objects, including the messages and JSON cached with them.
 */
const MOST_CHARACTERS = 1_000_000

/**
 * The rows of one view that were read a moment ago, none yet: reading one from SQLite takes a seventh of a GET's CPU time, and
 * those of a list of 50 more than all the rest of it. They are what the tables hold, for one process owns the file and
 * every append goes through here: from when it is handed to the writer until it has ended, the rows that it writes are
 * read from the tables each time. So no reader goes back in time, also when another query or the log shows the commit
 * before the writer has told of it.
 */
export function createRecentRows() {
  const rows = new LRUCache<string, ViewRow>({ maxSize: MOST_CHARACTERS })
  const pages = new LRUCache<string, Page<unknown>>({ maxSize: MOST_CHARACTERS })
  const writesUnderWay = new Map<string, number>()
  return {
    /** The row if it is kept. */
    find: (id: string) => rows.get(id),
    /** Keeps a row that was read just now, unless it is being written. `characters`: its state's as JSON text. */
    keep(row: ViewRow, characters: number) {
      if (!writesUnderWay.has(row.id)) rows.set(row.id, row, { size: characters })
    },
    /** The page of this name, if it is kept and no row was written since: mostly a list is asked for again unchanged. */
    findPage: (name: string) => pages.get(name),
    /** Keeps a page that was read just now, unless a row is being written. */
    keepPage(name: string, page: Page<unknown>) {
      if (writesUnderWay.size > 0) return
      const ids = page.rows.map(({ id }) => id)
      const characters = ids.reduce((sum, id) => sum + (rows.info(id)?.size ?? MOST_CHARACTERS), 1)
      pages.set(name, page, { size: characters })
    },
    /** The row is not kept until `endWrite` was called as often. */
    beginWrite(id: string) {
      rows.delete(id)
      pages.clear()
      writesUnderWay.set(id, (writesUnderWay.get(id) ?? 0) + 1)
    },
    endWrite(id: string) {
      const others = (writesUnderWay.get(id) ?? 0) - 1
      if (others > 0) writesUnderWay.set(id, others)
      else writesUnderWay.delete(id)
    },
    /** Other tables are read from now on. */
    clear() {
      rows.clear()
      pages.clear()
    },
  }
}
