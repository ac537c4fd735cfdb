import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * When the last event in a database's log happened, in milliseconds since the epoch; 0: there is none, or it can't be
 * read. Changes nothing: without a write-ahead log nobody has the database open, and SQLite would create one.
 */
export function lastTimeIn(file: string): number {
  const url = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) url.search = 'immutable=1'
  try {
    using connection = new DatabaseSync(url, { readOnly: true })
    const last = connection.prepare('SELECT at FROM events ORDER BY position DESC LIMIT 1').get()
    return Number(last?.at ?? 0)
  } catch {
    return 0
  }
}
