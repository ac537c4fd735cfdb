import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from './view-tables.ts'

/** More rows than this from one entry of the counts to the next, and it is split. */
const MOST_ROWS = 2048
const HALF = MOST_ROWS / 2

/**
 * Keeps count of a view's rows, by ranges of keys. What changes in a transaction is written at its end: most rows of one
 * fall within the same entry.
 */
export interface RowCounts {
  /** A row of this key was added (+1) or removed (-1). */
  change(key: bigint, by: 1 | -1): void
  /** Writes what has changed; before the transaction is committed. */
  flush(): void
  /** Forgets what has changed: the transaction was rolled back. */
  forget(): void
}

/** An entry of the counts, with what the running transaction has made of it. */
interface Entry {
  readonly first: bigint
  /** Where the next one begins; null for the last. */
  readonly next: bigint | null
  rows: bigint
  isChanged: boolean
}

/** The counts of a generation's tables (see ViewTables). */
export function createRowCounts(connection: DatabaseSync, { rows, counts }: ViewTables): RowCounts {
  const find = connection.prepare(
    `SELECT first, rows, (SELECT min(first) FROM ${counts} WHERE first > ?) AS next
     FROM ${counts} WHERE first <= ? ORDER BY first DESC LIMIT 1`,
  )
  const keyAt = connection.prepare(`SELECT key FROM ${rows} WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?`)
  const set = connection.prepare(`INSERT OR REPLACE INTO ${counts} VALUES (?, ?)`)
  find.setReadBigInts(true)
  keyAt.setReadBigInts(true)
  let entry: Entry | undefined

  function entryOf(key: bigint): Entry {
    if (entry && entry.first <= key && (entry.next === null || key < entry.next)) return entry
    flush()
    const found = find.get(key, key) as unknown as Omit<Entry, 'isChanged'>
    entry = { ...found, isChanged: false }
    return entry
  }

  function flush(): void {
    if (!entry?.isChanged) return
    set.run(entry.first, entry.rows)
    entry.isChanged = false
  }

  return {
    change(key, by) {
      const changed = entryOf(key)
      changed.rows += BigInt(by)
      changed.isChanged = true
      if (changed.rows <= MOST_ROWS) return
      set.run(changed.first, HALF)
      set.run(keyAt.get(changed.first, HALF)?.key as bigint, changed.rows - BigInt(HALF))
      entry = undefined
    },
    flush,
    forget() {
      entry = undefined
    },
  }
}
