import { LRUCache } from 'lru-cache'
import type { ViewRow } from '../../../event-sourcing/ports/view.ts'
import type { ViewTables } from './view-tables.ts'

/** How much of a view is kept, in characters of its states' JSON text: a few megabytes as objects. */
const MOST_CHARACTERS = 1_000_000

/**
 * The rows of one view that were read by id a moment ago: reading one from SQLite takes a seventh of a GET's CPU time.
 * They are what the tables hold, for one process owns the file and every append goes through here: from when it is
 * handed to the writer until it has ended, the rows that it writes are read from the tables each time. So no reader
 * goes back in time, also when another query or the log shows the commit before the writer has told of it.
 */
export interface RecentRows {
  /** The row if it is kept. With other tables than before, those of another generation, nothing is. */
  find(tables: ViewTables, id: string): ViewRow | undefined
  /** Keeps a row that was read just now, unless it is being written. `characters`: its state's as JSON text. */
  keep(row: ViewRow, characters: number): void
  /** The row is not kept until `endWrite` was called as often. */
  beginWrite(id: string): void
  endWrite(id: string): void
}

/** Those of one view; none yet. */
export function createRecentRows(): RecentRows {
  const rows = new LRUCache<string, ViewRow>({ maxSize: MOST_CHARACTERS })
  const writesUnderWay = new Map<string, number>()
  let readFrom: ViewTables | undefined
  return {
    find(tables, id) {
      if (tables !== readFrom) rows.clear()
      readFrom = tables
      return rows.get(id)
    },
    keep(row, characters) {
      if (!writesUnderWay.has(row.id)) rows.set(row.id, row, { size: characters })
    },
    beginWrite(id) {
      rows.delete(id)
      writesUnderWay.set(id, (writesUnderWay.get(id) ?? 0) + 1)
    },
    endWrite(id) {
      const others = (writesUnderWay.get(id) ?? 0) - 1
      if (others > 0) writesUnderWay.set(id, others)
      else writesUnderWay.delete(id)
    },
  }
}
