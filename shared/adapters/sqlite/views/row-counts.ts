import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from './view-tables.ts'

/** More rows than this from one entry of the counts to the next, and it is split. */
const MOST_ROWS = 2048
const HALF = MOST_ROWS / 2

/** Counts a view's rows, by ranges of keys (see ViewTables): the row of a key was added (+1) or removed (-1). */
export function createRowCounts(connection: DatabaseSync, { rows, counts }: ViewTables) {
  const change = connection.prepare(
    `UPDATE ${counts} SET rows = rows + ? WHERE first = (SELECT max(first) FROM ${counts} WHERE first <= ?)
     RETURNING first, rows`,
  )
  const keyAt = connection.prepare(`SELECT key FROM ${rows} WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?`)
  const set = connection.prepare(`INSERT OR REPLACE INTO ${counts} VALUES (?, ?)`)
  change.setReadBigInts(true)
  keyAt.setReadBigInts(true)
  return (key: bigint, by: 1 | -1): void => {
    const { first, rows } = change.get(by, key) as unknown as { first: bigint; rows: bigint }
    if (rows <= MOST_ROWS) return
    set.run(first, HALF)
    set.run(keyAt.get(first, HALF)?.key as bigint, rows - BigInt(HALF))
  }
}
