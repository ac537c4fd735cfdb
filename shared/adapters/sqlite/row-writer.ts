import { creationTime, placeFor, spreadKey } from './row-keys.ts'
import type { Statements } from './statements.ts'
import type { EncodedRow } from './view-shape.ts'
import { PLACE_BITS, type ViewTables } from './view-tables.ts'

/** More rows than this from one entry of the counts to the next, and it is split. */
const ROWS_PER_COUNT = 2048

/** Writes a row into the tables of a view, unless they hold that version or a newer one. */
export function writeRow(statements: Statements, tables: ViewTables, row: EncodedRow): void {
  const found = statements.withBigInts(`SELECT key, version FROM ${tables.rows} WHERE id = ?`).get(row.id)
  if (!found) {
    insertAtItsPlace(statements, tables, row)
    return
  }
  if (Number(found.version) >= row.version) return
  const key = found.key as bigint
  if (creationTime(key) === row.createdAt) {
    updateRow(statements, tables, key, row)
  } else {
    removeRow(statements, tables, key)
    insertAtItsPlace(statements, tables, row)
  }
}

function insertAtItsPlace(statements: Statements, tables: ViewTables, row: EncodedRow): void {
  let key = placeFor(statements, tables, row.createdAt, row.id)
  if (key === undefined) {
    spreadRowsOf(statements, tables, row.createdAt)
    key = placeFor(statements, tables, row.createdAt, row.id)
  }
  if (key === undefined) throw new Error(`view ${tables.shape.name}: no place for ${row.id}`)
  insertRow(statements, tables, key, row)
}

function insertRow(statements: Statements, tables: ViewTables, key: bigint, row: EncodedRow): void {
  const columns = ['key', 'id', 'version', 'at', ...tables.filterColumns, 'state']
  statements
    .of(`INSERT INTO ${tables.rows} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
    .run(key, row.id, row.version, row.at, ...row.filters, row.state)
  if (tables.textColumns.length > 0) insertTexts(statements, tables, key, row.texts)
  count(statements, tables, key, 1)
}

function updateRow(statements: Statements, tables: ViewTables, key: bigint, row: EncodedRow): void {
  const columns = ['version', 'at', ...tables.filterColumns, 'state']
  statements
    .of(`UPDATE ${tables.rows} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE key = ?`)
    .run(row.version, row.at, ...row.filters, row.state, key)
  if (tables.textColumns.length === 0) return
  const before = textsOf(statements, tables, key)
  if (before.every((text, index) => text === row.texts[index])) return
  removeTexts(statements, tables, key)
  insertTexts(statements, tables, key, row.texts)
}

function removeRow(statements: Statements, tables: ViewTables, key: bigint): void {
  if (tables.textColumns.length > 0) removeTexts(statements, tables, key)
  statements.of(`DELETE FROM ${tables.rows} WHERE key = ?`).run(key)
  count(statements, tables, key, -1)
}

/** Gives the rows of one millisecond new keys, evenly spread. */
function spreadRowsOf(statements: Statements, tables: ViewTables, createdAt: number): void {
  const first = BigInt(createdAt) << PLACE_BITS
  const stored = statements
    .withBigInts(`SELECT * FROM ${tables.rows} WHERE key BETWEEN ? AND ? ORDER BY key`)
    .all(first, first + (1n << PLACE_BITS) - 1n)
  const rows = stored.map((found) => ({
    id: typeof found.id === 'bigint' ? Number(found.id) : String(found.id),
    version: Number(found.version),
    at: Number(found.at),
    createdAt,
    state: String(found.state),
    filters: tables.filterColumns.map((column) => String(found[column])),
    texts: tables.textColumns.length > 0 ? textsOf(statements, tables, found.key as bigint) : [],
  }))
  for (const found of stored) removeRow(statements, tables, found.key as bigint)
  rows.forEach((row, index) => {
    insertRow(statements, tables, spreadKey(createdAt, index, rows.length), row)
  })
}

function textsOf(statements: Statements, tables: ViewTables, key: bigint): string[] {
  const found = statements.of(`SELECT ${tables.textColumns.join(', ')} FROM ${tables.texts} WHERE key = ?`).get(key)
  return tables.textColumns.map((column) => String(found?.[column]))
}

function insertTexts(statements: Statements, tables: ViewTables, key: bigint, texts: readonly string[]): void {
  const columns = tables.textColumns.join(', ')
  const values = tables.textColumns.map(() => '?').join(', ')
  statements.of(`INSERT INTO ${tables.texts} (key, ${columns}) VALUES (?, ${values})`).run(key, ...texts)
  statements.of(`INSERT INTO ${tables.search} (rowid, ${columns}) VALUES (?, ${values})`).run(key, ...texts)
}

/** An index with its contents outside must be told the old texts to forget them (https://sqlite.org/fts5.html#the_delete_command). */
function removeTexts(statements: Statements, tables: ViewTables, key: bigint): void {
  const columns = tables.textColumns.join(', ')
  statements
    .of(
      `INSERT INTO ${tables.search} (${tables.search}, rowid, ${columns})
       SELECT 'delete', key, ${columns} FROM ${tables.texts} WHERE key = ?`,
    )
    .run(key)
  statements.of(`DELETE FROM ${tables.texts} WHERE key = ?`).run(key)
}

function count(statements: Statements, tables: ViewTables, key: bigint, change: 1 | -1): void {
  const counted = statements
    .withBigInts(
      `UPDATE ${tables.counts} SET rows = rows + ?
       WHERE first = (SELECT max(first) FROM ${tables.counts} WHERE first <= ?) RETURNING first, rows`,
    )
    .get(change, key)
  if (Number(counted?.rows) > ROWS_PER_COUNT) splitCount(statements, tables, counted?.first as bigint)
}

function splitCount(statements: Statements, tables: ViewTables, first: bigint): void {
  const half = ROWS_PER_COUNT / 2
  const middle = statements
    .withBigInts(`SELECT key FROM ${tables.rows} WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?`)
    .get(first, half)?.key as bigint
  statements
    .of(`INSERT INTO ${tables.counts} SELECT ?, rows - ? FROM ${tables.counts} WHERE first = ?`)
    .run(middle, half, first)
  statements.of(`UPDATE ${tables.counts} SET rows = ? WHERE first = ?`).run(half, first)
}
