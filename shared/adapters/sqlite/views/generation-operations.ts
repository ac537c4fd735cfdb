import { headOf } from '../log/log-reads.ts'
import type { Statements } from '../statements.ts'
import type { ViewShape } from './view-shape.ts'
import { createViewTables, dropViewTables, type ViewTables, viewTables } from './view-tables.ts'

/** Rows cleared away in one go: some milliseconds, so that appends don't wait. */
const ROWS_PER_DROP = 2000

/** Makes the tables of the next generation, empty. */
export function beginGeneration(statements: Statements, shape: ViewShape): ViewTables {
  const newest = statements.of('SELECT max(generation) AS generation FROM views WHERE name = ?').get(shape.name)
  const tables = viewTables(shape, Number(newest?.generation ?? 0) + 1)
  createViewTables(statements.connection, tables)
  statements.of('INSERT INTO views VALUES (?, ?, ?, 0, 0)').run(shape.name, tables.generation, shape.schema)
  return tables
}

/** Makes a complete generation the one that is read. */
export function activateGeneration(statements: Statements, name: string, generation: number): void {
  statements.of('UPDATE views SET active = 0 WHERE name = ? AND generation <> ?').run(name, generation)
  statements
    .of('UPDATE views SET active = 1, checkpoint = ? WHERE name = ? AND generation = ?')
    .run(headOf(statements), name, generation)
}

/**
 * Clears a part of a generation's tables; drops them once they are nearly empty, and answers true. The indexes go first,
 * each as a whole: rows without them are cleared away in a thirtieth of the time.
 */
export function dropSome(statements: Statements, name: string, generation: number): boolean {
  // Whatever shape it had: the names of the tables depend on name and generation only.
  const shape = { name, schema: 0, category: '', idOrder: 'text', filters: [], ranges: [], searchTexts: 0 } as const
  const tables = viewTables(shape, generation)
  const [index] = indexesOf(statements, tables.rows)
  if (index !== undefined) {
    statements.connection.exec(`DROP INDEX ${index}`)
    return false
  }
  for (const table of [`${tables.search}_data`, tables.texts, tables.snapshots, tables.rows]) {
    if (!isTable(statements, table)) continue
    const key = table.endsWith('_data') ? 'id' : 'key'
    const cleared = statements.connection
      .prepare(
        `DELETE FROM ${table} WHERE ${key} <=
         (SELECT max(${key}) FROM (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT ${ROWS_PER_DROP}))`,
      )
      .run()
    if (Number(cleared.changes) === ROWS_PER_DROP) return false
  }
  statements.forget()
  dropViewTables(statements.connection, tables)
  statements.of('DELETE FROM views WHERE name = ? AND generation = ?').run(name, generation)
  return true
}

function indexesOf(statements: Statements, table: string): string[] {
  const made = `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?`
  return statements
    .of(made)
    .all(table)
    .map(({ name }) => String(name))
}

function isTable(statements: Statements, name: string): boolean {
  return statements.of(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
}
