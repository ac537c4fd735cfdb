import type { DatabaseSync } from 'node:sqlite'
import type { EncodedVersion } from '../sums/encoded-version.ts'
import { createLabelWriter, createLedgerWriter, type VersionWriter } from '../sums/versions.writer.ts'
import { createRowCounts } from './row-counts.writer.ts'
import { createRowKeys, creationTime, keysOf, spreadKey } from './row-keys.writer.ts'
import { createRowTexts, textsOf } from './row-texts.writer.ts'
import type { EncodedRow, StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** Writes the rows of one generation of a view. */
export type RowWriter = ReturnType<typeof createRowWriter>

/** Creates the writer of a generation's tables, which must exist. */
export function createRowWriter(connection: DatabaseSync, tables: ViewTables) {
  const { shape, rows, snapshots } = tables
  const keys = createRowKeys(connection, tables)
  const texts = createRowTexts(connection, tables)
  const counts = createRowCounts(connection, tables)
  const versions = versionWriter(connection, tables)
  const find = createFind(connection, tables)
  const insert = connection.prepare(`INSERT INTO ${rows} (key, id, version, at, state) VALUES (?, ?, ?, ?, ?)`)
  const update = connection.prepare(`UPDATE ${rows} SET version = ?, at = ?, state = ? WHERE key = ?`)
  const remove = connection.prepare(`DELETE FROM ${rows} WHERE key = ?`)
  const ofMillisecond = connection.prepare(
    `SELECT key, id, version, at, state FROM ${rows} WHERE key BETWEEN ? AND ? ORDER BY key`,
  )
  ofMillisecond.setReadBigInts(true)
  const insertSnapshot = connection.prepare(
    `INSERT INTO ${snapshots} (id, version, at, state) VALUES (?, ?, ?, ?) ON CONFLICT (id, version) DO NOTHING`,
  )

  function insertRow(row: EncodedRow): void {
    let key = keys.placeFor(row.createdAt, row.id)
    if (key === undefined) {
      spreadRowsOf(row.createdAt)
      key = keys.placeFor(row.createdAt, row.id)
    }
    if (key === undefined) throw new Error(`view ${shape.name}: no place for ${row.id}`)
    insert.run(key, row.id, row.version, row.at, row.state)
    texts.insert(key, textsOf(row))
    counts.change(key, 1)
  }

  function removeRow(key: bigint): void {
    texts.remove(key)
    remove.run(key)
    counts.change(key, -1)
  }

  /** Gives the rows of one millisecond new, evenly spread keys. */
  function spreadRowsOf(createdAt: number): void {
    const stored = ofMillisecond.all(...keysOf(createdAt)).map((found) => ({
      values: Object.values(found).slice(1),
      texts: texts.read(found.key as bigint),
      key: found.key as bigint,
    }))
    for (const { key } of stored) removeRow(key)
    for (const [index, found] of stored.entries()) {
      const key = spreadKey(createdAt, index, stored.length)
      insert.run(key, ...found.values)
      texts.insert(key, found.texts)
      counts.change(key, 1)
    }
  }

  return {
    /** Writes the row, unless the tables have that version or a newer one. */
    write(row: EncodedRow) {
      const found = find(row.id)
      if (!found) return insertRow(row)
      if (Number(found.version) >= row.version) return
      const { key } = found
      if (creationTime(key) === row.createdAt) {
        update.run(row.version, row.at, row.state, key)
        texts.update(key, textsOf(row))
      } else {
        removeRow(key)
        insertRow(row)
      }
    },
    /** Writes a snapshot, unless it exists: it would be the same. */
    writeSnapshot({ id, version, at, state }: StoredRow) {
      insertSnapshot.run(id, version, at, state)
    },
    /** Writes a version to the view's ledger or labels. */
    writeVersion(version: EncodedVersion) {
      versions?.write(version)
    },
    /** Writes what was deferred; call it before the transaction commits. */
    flush() {
      counts.flush()
      texts.flush()
    },
    /** Call it after the transaction was rolled back. */
    forget() {
      counts.forget()
      versions?.forget()
    },
  }
}

function versionWriter(connection: DatabaseSync, { shape, rows }: ViewTables): VersionWriter | undefined {
  const { versions } = shape
  if (versions === undefined) return undefined
  return versions.kind === 'ledger'
    ? createLedgerWriter(connection, rows, versions)
    : createLabelWriter(connection, rows)
}

/**
 * Numeric ids mostly ascend, so most new rows don't need to read existing ones. After a rollback the highest number may
 * be too high, which only costs a read.
 */
function createFind(connection: DatabaseSync, { rows, shape }: ViewTables) {
  const find = connection.prepare(`SELECT key, version FROM ${rows} WHERE id = ?`)
  find.setReadBigInts(true)
  let highest = Number(connection.prepare(`SELECT max(id) AS id FROM ${rows}`).get()?.id ?? -Infinity)
  return (id: string | number): { readonly key: bigint; readonly version: bigint } | undefined => {
    if (shape.idOrder === 'text' || Number(id) <= highest) return find.get(id) as never
    highest = Number(id)
    return undefined
  }
}
