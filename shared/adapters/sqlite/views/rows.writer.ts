import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { createVersionWriter } from '../sums/versions.writer.ts'
import type { ViewChange } from '../writing/write-operations.ts'
import { createRowCounts } from './row-counts.writer.ts'
import { createKeyFinder, creationTime, keysOf, spreadKey } from './row-keys.writer.ts'
import { createRowTexts } from './row-texts.writer.ts'
import type { EncodedRow, RowTexts, StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** Writes the rows of one generation of a view. */
export type RowWriter = ReturnType<typeof createRowWriter>

/** Creates the writer of a generation's tables, which must exist. */
export function createRowWriter(connection: DatabaseSync, tables: ViewTables) {
  const { shape, rows, snapshots } = tables
  const keyFor = createKeyFinder(connection, tables)
  const tableWriter = createTableWriter(connection, tables)
  const versions = createVersionWriter(connection, rows, shape.versions)
  const find = connection.prepare(`SELECT key, version FROM ${rows} WHERE id = ?`)
  find.setReadBigInts(true)
  const insertSnapshot = connection.prepare(
    `INSERT INTO ${snapshots} (id, version, at, state) VALUES (?, ?, ?, ?) ON CONFLICT (id, version) DO NOTHING`,
  )

  function insert(row: EncodedRow): void {
    let key = keyFor(row.createdAt, row.id)
    if (key === undefined) {
      tableWriter.spread(row.createdAt)
      key = keyFor(row.createdAt, row.id)
    }
    if (key === undefined) throw new Error(`view ${shape.name}: no key for ${row.id}`)
    tableWriter.insert(key, row, row.texts)
  }

  /** Writes the row, unless the tables have that version or a newer one. */
  function writeRow(row: EncodedRow) {
    const found = find.get(row.id) as { readonly key: bigint; readonly version: bigint } | undefined
    if (!found) return insert(row)
    if (found.version >= row.version) return
    if (creationTime(found.key) === row.createdAt) return tableWriter.update(found.key, row)
    tableWriter.remove(found.key)
    insert(row)
  }

  return {
    /** Writes a change. A snapshot that already exists is left, as it would be the same. */
    write({ row, snapshot, version }: ViewChange) {
      if (row) writeRow(row)
      if (snapshot) insertSnapshot.run(snapshot.id, snapshot.version, snapshot.at, snapshot.state)
      if (version) versions?.write(version)
    },
    /** Writes what was deferred; call it before the transaction commits. */
    flush: tableWriter.flush,
    /** Call it after the transaction was rolled back. */
    forget() {
      tableWriter.forget()
      versions?.forget()
    },
  }
}

type RowValues = Readonly<Record<keyof StoredRow, SQLInputValue>>

/** Writes rows, together with their texts and counts. */
function createTableWriter(connection: DatabaseSync, tables: ViewTables) {
  const { rows } = tables
  const texts = createRowTexts(connection, tables)
  const counts = createRowCounts(connection, tables)
  const insertRow = connection.prepare(`INSERT INTO ${rows} (key, id, version, at, state) VALUES (?, ?, ?, ?, ?)`)
  const updateRow = connection.prepare(`UPDATE ${rows} SET version = ?, at = ?, state = ? WHERE key = ?`)
  const removeRow = connection.prepare(`DELETE FROM ${rows} WHERE key = ?`)
  const ofMillisecond = connection.prepare(
    `SELECT key, id, version, at, state FROM ${rows} WHERE key BETWEEN ? AND ? ORDER BY key`,
  )
  ofMillisecond.setReadBigInts(true)

  function insert(key: bigint, { id, version, at, state }: RowValues, rowTexts: RowTexts): void {
    insertRow.run(key, id, version, at, state)
    texts.insert(key, rowTexts)
    counts.change(key, 1)
  }

  function remove(key: bigint): void {
    texts.remove(key)
    removeRow.run(key)
    counts.change(key, -1)
  }

  return {
    insert,
    remove,
    update(key: bigint, row: EncodedRow): void {
      updateRow.run(row.version, row.at, row.state, key)
      texts.update(key, row.texts)
    },
    /** Reassigns the keys of a millisecond's rows, evenly spread. */
    spread(createdAt: number): void {
      const found = ofMillisecond.all(...keysOf(createdAt)) as unknown as (RowValues & { readonly key: bigint })[]
      const moved = found.map((row) => ({ row, texts: texts.read(row.key) }))
      for (const { row } of moved) remove(row.key)
      for (const [n, { row, texts }] of moved.entries()) insert(spreadKey(createdAt, n, moved.length), row, texts)
    },
    flush(): void {
      counts.flush()
      texts.flush()
    },
    forget: counts.forget,
  }
}
