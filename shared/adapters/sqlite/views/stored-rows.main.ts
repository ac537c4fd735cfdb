import type { PastMoment } from '../../../event-sourcing/ports/view.ts'
import type { Statements } from '../file/statements.ts'
import { encodeId } from './encode-id.ts'
import type { StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** The stored row with this id; undefined when there is none. */
export function findRow(statements: Statements, { shape, rows }: ViewTables, id: string): StoredRow | undefined {
  const encoded = encodeId(shape, id)
  if (encoded === undefined) return undefined
  return statements.of<StoredRow>(`SELECT id, version, at, state FROM ${rows} WHERE id = ?`).get(encoded)
}

/** The last snapshot of an id at or before a moment. */
export function findSnapshot(
  statements: Statements,
  { shape, snapshots }: ViewTables,
  id: string,
  upTo: PastMoment,
): StoredRow | undefined {
  const encoded = encodeId(shape, id)
  if (encoded === undefined) return undefined
  const select = `SELECT id, version, at, state FROM ${snapshots} WHERE id = ?`
  return 'version' in upTo
    ? statements.of<StoredRow>(`${select} AND version <= ? ORDER BY version DESC LIMIT 1`).get(encoded, upTo.version)
    : statements.of<StoredRow>(`${select} AND at <= ? ORDER BY at DESC, version DESC LIMIT 1`).get(encoded, upTo.at)
}
