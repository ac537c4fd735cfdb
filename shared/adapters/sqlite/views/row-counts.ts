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
  change(key: bigint, by: 1n | -1n): void
  /** The row of this key was written anew. */
  touch(key: bigint): void
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
  /** Not written yet. */
  changes: bigint
}

/** The counts of a generation's tables (see ViewTables). */
export function createRowCounts(connection: DatabaseSync, { rows, counts }: ViewTables): RowCounts {
  const find = connection.prepare(
    `SELECT first, rows, (SELECT min(first) FROM ${counts} WHERE first > ?) AS next
     FROM ${counts} WHERE first <= ? ORDER BY first DESC LIMIT 1`,
  )
  const keyAt = connection.prepare(`SELECT key FROM ${rows} WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?`)
  const set = connection.prepare(`UPDATE ${counts} SET rows = ?, changes = changes + ? WHERE first = ?`)
  const insert = connection.prepare(`INSERT INTO ${counts} (first, rows) VALUES (?, ?)`)
  find.setReadBigInts(true)
  keyAt.setReadBigInts(true)
  let entry: Entry | undefined

  function entryOf(key: bigint): Entry {
    if (entry && entry.first <= key && (entry.next === null || key < entry.next)) return entry
    flush()
    const found = find.get(key, key) as unknown as Pick<Entry, 'first' | 'next' | 'rows'>
    entry = { first: found.first, next: found.next, rows: found.rows, changes: 0n }
    return entry
  }

  function flush(): void {
    if (!entry || entry.changes === 0n) return
    set.run(entry.rows, entry.changes, entry.first)
    entry.changes = 0n
  }

  function split({ first, rows: count, changes }: Entry): void {
    set.run(HALF, changes, first)
    insert.run(keyAt.get(first, HALF)?.key as bigint, count - BigInt(HALF))
    entry = undefined
  }

  return {
    change(key, by) {
      const changed = entryOf(key)
      changed.rows += by
      changed.changes += 1n
      if (changed.rows > MOST_ROWS) split(changed)
    },
    touch(key) {
      entryOf(key).changes += 1n
    },
    flush,
    forget() {
      entry = undefined
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
