import type { DatabaseSync } from 'node:sqlite'

/** Format 2: times stored beside the log. */
export function createLatestTimesTable(connection: DatabaseSync): void {
  connection.exec(`
    CREATE TABLE latest_times (kind TEXT, id TEXT, at INTEGER NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID
  `)
}
