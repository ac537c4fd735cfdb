import type { Statements } from '../statements.ts'
import { encodeId, type StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** The row of an id as the tables hold it now; undefined when they hold none. */
export function findRow(statements: Statements, { shape, rows }: ViewTables, id: string): StoredRow | undefined {
  const encoded = encodeId(shape, id)
  if (encoded === undefined) return undefined
  const found = statements.of(`SELECT id, version, at, state FROM ${rows} WHERE id = ?`).get(encoded)
  return found as StoredRow | undefined
}
