import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from './view-tables.ts'

/** More rows than this from one entry of the counts to the next, and it is split. */
const MOST_ROWS = 2048
const HALF = MOST_ROWS / 2

/** Keeps count of a view's rows, by ranges of keys. */
export interface RowCounts {
  /** A row of this key was added (+1) or removed (-1). */
  change(key: bigint, by: 1n | -1n): void
}

/** The counts of a generation's tables (see ViewTables). */
export function createRowCounts(connection: DatabaseSync, { rows, counts }: ViewTables): RowCounts {
  const find = connection.prepare(`SELECT first, rows FROM ${counts} WHERE first <= ? ORDER BY first DESC LIMIT 1`)
  const keyAt = connection.prepare(`SELECT key FROM ${rows} WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?`)
  const set = connection.prepare(`UPDATE ${counts} SET rows = ? WHERE first = ?`)
  const insert = connection.prepare(`INSERT INTO ${counts} VALUES (?, ?)`)
  find.setReadBigInts(true)
  keyAt.setReadBigInts(true)
  return {
    change(key, by) {
      const found = find.get(key)
      const first = found?.first as bigint
      const now = (found?.rows as bigint) + by
      if (now <= MOST_ROWS) {
        set.run(now, first)
        return
      }
      set.run(HALF, first)
      insert.run(keyAt.get(first, HALF)?.key as bigint, now - BigInt(HALF))
    },
  }
}
