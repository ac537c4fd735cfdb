import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from './view-tables.ts'

/** More rows than this from one entry of the counts to the next, and it is split. */
const MOST_ROWS = 2048
const HALF = MOST_ROWS / 2

/** Keeps count of a view's rows, by ranges of keys. */
export interface RowCounts {
  /** A row of this key was added (+1) or removed (-1). */
  change(key: bigint, by: 1n | -1n): void
  /** The row of this key was written anew. */
  touch(key: bigint): void
}

/** The counts of a generation's tables (see ViewTables). */
export function createRowCounts(connection: DatabaseSync, { rows, counts }: ViewTables): RowCounts {
  const find = connection.prepare(`SELECT first, rows FROM ${counts} WHERE first <= ? ORDER BY first DESC LIMIT 1`)
  const keyAt = connection.prepare(`SELECT key FROM ${rows} WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?`)
  const set = connection.prepare(`UPDATE ${counts} SET rows = ?, changes = changes + 1 WHERE first = ?`)
  const insert = connection.prepare(`INSERT INTO ${counts} (first, rows) VALUES (?, ?)`)
  const touch = connection.prepare(
    `UPDATE ${counts} SET changes = changes + 1 WHERE first = (SELECT max(first) FROM ${counts} WHERE first <= ?)`,
  )
  find.setReadBigInts(true)
  keyAt.setReadBigInts(true)
  return {
    touch: (key) => touch.run(key),
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

/** Format 3: the counts of every view also count changes. */
export function countChanges(connection: DatabaseSync): void {
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'view_*_[0-9]*_counts'`
  for (const { name } of connection.prepare(tables).all()) {
    connection.exec(`ALTER TABLE ${name} ADD COLUMN changes INTEGER NOT NULL DEFAULT 0`)
  }
}
