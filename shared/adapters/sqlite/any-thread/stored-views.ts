import type { DatabaseSync } from 'node:sqlite'
import type { Statements } from './statements.ts'

/**
 * Format 5: the complete views, with the generation of their tables; `schema` is the fingerprint of the definition.
 * Earlier views are forgotten.
 */
export function createViewsTable(connection: DatabaseSync): void {
  connection.exec(`
    DROP TABLE IF EXISTS views;
    CREATE TABLE views (name TEXT PRIMARY KEY, generation INTEGER NOT NULL, schema INTEGER NOT NULL) STRICT;
  `)
}

/** The generation of a view that is read now; undefined when the view is incomplete. */
export function generationOf(statements: Statements, name: string): number | undefined {
  const found = statements.of('SELECT generation FROM views WHERE name = ?').get(name)
  return found && Number(found.generation)
}

/**
 * Drops everything but the complete views of these shapes: views of another definition, views that would no longer be
 * kept up to date, and leftovers of a rebuild or an earlier format.
 */
export function dropOtherViews(
  connection: DatabaseSync,
  shapes: readonly { readonly name: string; readonly fingerprint: number }[],
): void {
  const stored = connection.prepare('SELECT name, generation, schema FROM views').all()
  const kept = stored.filter(({ name, schema }) =>
    shapes.some((one) => one.name === name && one.fingerprint === schema),
  )
  const tables = connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'view_*'`).all()
  connection.exec('BEGIN')
  for (const { name } of stored.filter((view) => !kept.includes(view))) {
    connection.prepare('DELETE FROM views WHERE name = ?').run(String(name))
  }
  for (const { name } of tables) {
    // The inner tables of a search index are dropped with it.
    const [, rows] = /^(view_.*_\d+)(?:_(?!search_)[a-z_]+)?$/.exec(String(name)) ?? []
    const isKept = kept.some((view) => rows === `view_${view.name}_${view.generation}`)
    if (rows && !isKept) connection.exec(`DROP TABLE ${name}`)
  }
  connection.exec('COMMIT')
}
