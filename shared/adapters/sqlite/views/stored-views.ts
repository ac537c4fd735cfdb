import type { Statements } from '../file/statements.ts'

/**
 * Format 5: lists the complete views, with the generation of their tables; `schema` is the definition's fingerprint.
 * Views of earlier formats are forgotten.
 */
export const CREATE_VIEWS = `
  DROP TABLE IF EXISTS views;
  CREATE TABLE views (name TEXT PRIMARY KEY, generation INTEGER NOT NULL, schema INTEGER NOT NULL) STRICT`

/** The name of a generation's table of rows. */
export const rowsName = (view: string, generation: number): string => `view_${view}_${generation}`

/** The generation of a view that reads use; undefined when the view is incomplete. */
export function generationOf(statements: Statements, name: string): number | undefined {
  const found = statements.of('SELECT generation FROM views WHERE name = ?').get(name)
  return found && Number(found.generation)
}

/**
 * Drops everything but the complete views of these shapes: views of another definition, views that would no longer be
 * kept up to date, and leftovers of a rebuild or an earlier format.
 */
export function dropOtherViews(
  statements: Statements,
  shapes: readonly { readonly name: string; readonly fingerprint: number }[],
): void {
  const { connection } = statements
  const stored = statements.of<{ name: string; generation: number; schema: number }>('SELECT * FROM views').all()
  const kept = stored.filter(({ name, schema }) =>
    shapes.some((one) => one.name === name && one.fingerprint === schema),
  )
  const keptRows = kept.map(({ name, generation }) => rowsName(name, generation))
  const tables = statements.of(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'view_*'`).all()
  const generations = tables.map(({ name }) => String(name)).filter((name) => /^view_.*_\d+$/.test(name))
  connection.exec('BEGIN')
  for (const { name } of stored.filter((view) => !kept.includes(view))) {
    statements.of('DELETE FROM views WHERE name = ?').run(name)
  }
  for (const rows of generations.filter((name) => !keptRows.includes(name))) {
    for (const sql of dropSqls(statements, rows)) connection.exec(sql)
  }
  connection.exec('COMMIT')
}

/** Statements that drop a generation's indexes and tables, one each; `rows`, which identifies it, comes last. */
export function dropSqls(statements: Statements, rows: string): string[] {
  // The inner tables of a search index are dropped with it.
  const sql = `SELECT 'DROP ' || type || ' ' || name AS sql FROM sqlite_schema
    WHERE type IN ('index', 'table') AND sql IS NOT NULL
      AND (name = :rows OR name GLOB :rows || '_*') AND name NOT GLOB :rows || '_search_*'
    ORDER BY type, name = :rows`
  return statements
    .of(sql)
    .all({ rows })
    .map(({ sql }) => String(sql))
}
