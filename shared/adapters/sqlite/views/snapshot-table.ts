import type { DatabaseSync } from 'node:sqlite'
import type { PastMoment } from '../../../event-sourcing/ports/view.ts'
import type { Statements } from '../statements.ts'
import { encodeId, type StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** Makes a generation's table of snapshots, empty, unless it is there; answers whether it was missing. */
export function createSnapshotTable(connection: DatabaseSync, { shape, snapshots }: ViewTables): boolean {
  const isThere = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(snapshots)
  if (isThere) return false
  connection.exec(`
    CREATE TABLE ${snapshots} (
      key INTEGER PRIMARY KEY,
      id ${shape.idOrder === 'numeric' ? 'INTEGER' : 'TEXT'} NOT NULL,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      state TEXT NOT NULL,
      UNIQUE (id, version)
    ) STRICT;
    CREATE INDEX ${snapshots}_by_time ON ${snapshots} (id, at, version);
  `)
  return true
}

/** A function that writes a snapshot within the running transaction, unless it is there: it can only say the same. */
export function createSnapshotWriter(connection: DatabaseSync, { snapshots }: ViewTables): (row: StoredRow) => void {
  const insert = connection.prepare(
    `INSERT INTO ${snapshots} (id, version, at, state) VALUES (?, ?, ?, ?) ON CONFLICT (id, version) DO NOTHING`,
  )
  return ({ id, version, at, state }) => {
    insert.run(id, version, at, state)
  }
}

/** The last snapshot of an id up to a moment. */
export function findSnapshot(
  statements: Statements,
  { shape, snapshots }: ViewTables,
  id: string,
  upTo: PastMoment,
): StoredRow | undefined {
  const encoded = encodeId(shape, id)
  if (encoded === undefined) return undefined
  const select = `SELECT id, version, at, state FROM ${snapshots} WHERE id = ?`
  const found =
    'version' in upTo
      ? statements.of(`${select} AND version <= ? ORDER BY version DESC LIMIT 1`).get(encoded, upTo.version)
      : statements.of(`${select} AND at <= ? ORDER BY at DESC, version DESC LIMIT 1`).get(encoded, upTo.at)
  return found as StoredRow | undefined
}
