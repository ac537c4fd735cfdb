import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** When the last event in a database's log happened, in milliseconds since the epoch; 0: there is none. See valueIn. */
export const lastTimeIn = (file: string): number =>
  valueIn(file, 'SELECT at AS value FROM events ORDER BY position DESC LIMIT 1')

/** The format of a database. See valueIn. */
export const formatIn = (file: string): number => valueIn(file, 'SELECT user_version AS value FROM pragma_user_version')

/**
 * Reads a number from a database; 0: there is none, or it can't be read. Changes nothing: without a write-ahead log nobody
 * has the database open, and SQLite would create one.
 */
function valueIn(file: string, sql: string): number {
  const url = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) url.search = 'immutable=1'
  try {
    using connection = new DatabaseSync(url, { readOnly: true })
    return Number(connection.prepare(sql).get()?.value ?? 0)
  } catch {
    return 0
  }
}
