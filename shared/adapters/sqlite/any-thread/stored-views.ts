import type { DatabaseSync } from 'node:sqlite'
import type { Statements } from './statements.ts'
import type { ViewShape } from './view-shape.ts'

/**
 * Format 5: the views that are whole, with the generation of their tables; `schema` is the fingerprint of the definition.
 * What views there were is forgotten.
 */
export function createViewsTable(connection: DatabaseSync): void {
  connection.exec(`
    DROP TABLE IF EXISTS views;
    CREATE TABLE views (name TEXT PRIMARY KEY, generation INTEGER NOT NULL, schema INTEGER NOT NULL) STRICT;
  `)
}

/** The generation of a view that is read now; undefined where it isn't whole. */
export function generationOf(statements: Statements, name: string): number | undefined {
  const found = statements.of('SELECT generation FROM views WHERE name = ?').get(name)
  return found && Number(found.generation)
}

/**
 * Drops all but the whole views of these shapes: those of another definition, those that nobody keeps at the log's head from
 * now on, and what a rebuild or an earlier format left behind.
 */
export function dropOtherViews(connection: DatabaseSync, shapes: readonly ViewShape[]): void {
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
    // The inner tables of a search index go with it.
    const [, rows] = /^(view_.*_\d+)(?:_texts|_search|_counts|_snapshots)?$/.exec(String(name)) ?? []
    const isKept = kept.some((view) => rows === `view_${view.name}_${view.generation}`)
    if (rows && !isKept) connection.exec(`DROP TABLE ${name}`)
  }
  connection.exec('COMMIT')
}
