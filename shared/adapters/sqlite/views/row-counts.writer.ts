import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from './view-tables.ts'

/** An entry of the counts with more rows than this is split. */
const MAX_ROWS = 2048
const HALF = MAX_ROWS / 2

/** An entry of the counts, the first key of the next one (null: it is the last), and how many rows were added to it. */
type CountedRange = { readonly first: bigint; readonly next: bigint | null; added: number }

/** Counts a view's rows by ranges of keys (see ViewTables). Changes are written once per entry and transaction. */
export function createRowCounts(connection: DatabaseSync, { rows, counts }: ViewTables) {
  const find = connection.prepare(
    `SELECT first, (SELECT min(first) FROM ${counts} WHERE first > :key) AS next
     FROM ${counts} WHERE first <= :key ORDER BY first DESC LIMIT 1`,
  )
  const add = connection.prepare(`UPDATE ${counts} SET rows = rows + ? WHERE first = ? RETURNING rows`)
  const keyAt = connection.prepare(`SELECT key FROM ${rows} WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?`)
  const set = connection.prepare(`INSERT OR REPLACE INTO ${counts} VALUES (?, ?)`)
  for (const statement of [find, keyAt]) statement.setReadBigInts(true)
  let entry: CountedRange | undefined

  function flush(): void {
    if (!entry) return
    let { first } = entry
    let left = Number(add.get(entry.added, first)?.rows)
    for (; left > MAX_ROWS; left -= HALF) {
      set.run(first, HALF)
      first = keyAt.get(first, HALF)?.key as bigint
      set.run(first, left - HALF)
    }
    entry = undefined
  }

  return {
    /** Records that a row with this key was added (+1) or removed (-1). */
    change(key: bigint, by: 1 | -1): void {
      if (!entry || key < entry.first || (entry.next !== null && key >= entry.next)) {
        flush()
        entry = { ...(find.get({ key }) as unknown as CountedRange), added: 0 }
      }
      entry.added += by
    },
    /** Writes pending changes; call it before the transaction commits. */
    flush,
    /** Call it after the transaction was rolled back. */
    forget(): void {
      entry = undefined
    },
  }
}
