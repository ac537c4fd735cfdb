import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createRowCounts, type RowCounts } from './row-counts.ts'
import { createRowKeys, creationTime, keysOf, type RowKeys, spreadKey } from './row-keys.ts'
import { createRowTexts, type RowTexts } from './row-texts.ts'
import { createSnapshotWriter } from './snapshot-table.ts'
import type { EncodedRow, StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** Writes the rows of one generation of a view. */
export interface RowWriter {
  readonly tables: ViewTables
  /** Writes the row, unless the tables hold that version or a newer one. */
  write(row: EncodedRow): void
  /** Writes a snapshot, unless it is there. */
  writeSnapshot(row: StoredRow): void
  /** Writes what was put off to the transaction's end. */
  flush(): void
  /** The transaction was rolled back. */
  forget(): void
}

/** What is looked at to see whether a row is there, and older. */
interface FoundRow {
  readonly key: bigint
  readonly version: bigint
}

interface Parts {
  readonly tables: ViewTables
  readonly keys: RowKeys
  readonly texts: RowTexts
  readonly counts: RowCounts
  readonly find: (id: string | number) => FoundRow | undefined
  readonly insert: StatementSync
  readonly update: StatementSync
  readonly remove: StatementSync
  readonly ofMillisecond: StatementSync
}

/** The writer of a generation's tables, which must be there. */
export function createRowWriter(connection: DatabaseSync, tables: ViewTables): RowWriter {
  const { rows } = tables
  const inserted = ['key', 'id', 'version', 'at', ...tables.filterColumns, ...tables.rangeColumns, 'state']
  const updated = ['version', 'at', ...tables.filterColumns, ...tables.rangeColumns, 'state']
  const parts: Parts = {
    tables,
    keys: createRowKeys(connection, tables),
    texts: createRowTexts(connection, tables),
    counts: createRowCounts(connection, tables),
    find: createFind(connection, tables),
    insert: connection.prepare(
      `INSERT INTO ${rows} (${inserted.join(', ')}) VALUES (${inserted.map(() => '?').join(', ')})`,
    ),
    update: connection.prepare(`UPDATE ${rows} SET ${updated.map((name) => `${name} = ?`).join(', ')} WHERE key = ?`),
    remove: connection.prepare(`DELETE FROM ${rows} WHERE key = ?`),
    ofMillisecond: connection.prepare(`SELECT * FROM ${rows} WHERE key BETWEEN ? AND ? ORDER BY key`),
  }
  parts.ofMillisecond.setReadBigInts(true)
  return {
    tables,
    write: (row) => writeRow(parts, row),
    writeSnapshot: createSnapshotWriter(connection, tables),
    flush() {
      parts.counts.flush()
      parts.texts.flush()
    },
    forget() {
      parts.counts.forget()
      parts.texts.forget()
    },
  }
}

/**
 * Numbers mostly rise, so that for most new rows nothing is looked up. After a rollback the highest number may be too
 * high, which costs a look.
 */
function createFind(connection: DatabaseSync, { rows, shape }: ViewTables): Parts['find'] {
  const find = connection.prepare(`SELECT key, version FROM ${rows} WHERE id = ?`)
  find.setReadBigInts(true)
  if (shape.idOrder === 'text') return (id) => find.get(id) as FoundRow | undefined
  let highest = Number(connection.prepare(`SELECT max(id) AS id FROM ${rows}`).get()?.id ?? -Infinity)
  return (id) => {
    if (Number(id) > highest) {
      highest = Number(id)
      return undefined
    }
    return find.get(id) as FoundRow | undefined
  }
}

function writeRow(parts: Parts, row: EncodedRow): void {
  const found = parts.find(row.id)
  if (!found) {
    insertAtItsPlace(parts, row)
    return
  }
  if (Number(found.version) >= row.version) return
  const { key } = found
  if (creationTime(key) === row.createdAt) {
    parts.update.run(row.version, row.at, ...row.filters, ...row.ranges, row.state, key)
    parts.texts.update(key, row.texts)
    parts.counts.touch(key)
  } else {
    removeRow(parts, key)
    insertAtItsPlace(parts, row)
  }
}

function insertAtItsPlace(parts: Parts, row: EncodedRow): void {
  let key = parts.keys.placeFor(row.createdAt, row.id)
  if (key === undefined) {
    spreadRowsOf(parts, row.createdAt)
    key = parts.keys.placeFor(row.createdAt, row.id)
  }
  if (key === undefined) throw new Error(`view ${parts.tables.shape.name}: no place for ${row.id}`)
  insertRow(parts, key, row)
}

function insertRow(parts: Parts, key: bigint, row: EncodedRow): void {
  parts.insert.run(key, row.id, row.version, row.at, ...row.filters, ...row.ranges, row.state)
  parts.texts.insert(key, row.texts)
  parts.counts.change(key, 1n)
}

function removeRow(parts: Parts, key: bigint): void {
  parts.texts.remove(key)
  parts.remove.run(key)
  parts.counts.change(key, -1n)
}

/** Gives the rows of one millisecond new keys, evenly spread. */
function spreadRowsOf(parts: Parts, createdAt: number): void {
  const stored = parts.ofMillisecond.all(...keysOf(createdAt))
  const rows = stored.map((found) => ({
    id: typeof found.id === 'bigint' ? Number(found.id) : String(found.id),
    version: Number(found.version),
    at: Number(found.at),
    createdAt,
    state: String(found.state),
    filters: parts.tables.filterColumns.map((column) => String(found[column])),
    ranges: parts.tables.rangeColumns.map((column) => asRange(found[column])),
    texts: parts.texts.read(found.key as bigint),
  }))
  for (const found of stored) removeRow(parts, found.key as bigint)
  for (const [index, row] of rows.entries()) insertRow(parts, spreadKey(createdAt, index, rows.length), row)
}

/** Whole numbers come as bigints here. */
function asRange(value: unknown): number | string {
  return typeof value === 'string' ? value : Number(value)
}
