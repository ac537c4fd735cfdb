import { DatabaseSync } from 'node:sqlite'

/** The names of the indexes on view tables in a file, without those that are part of their tables. */
export function viewIndexes(file: string): string[] {
  using connection = new DatabaseSync(file)
  const found = connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'view_*'`).all()
  return found.map(({ name }) => String(name)).sort()
}

/** Drops them from a closed file, as if a build had been killed before it created them. Returns their names. */
export function dropViewIndexes(file: string): string[] {
  const names = viewIndexes(file)
  using connection = new DatabaseSync(file)
  for (const name of names) connection.exec(`DROP INDEX ${name}`)
  return names
}
