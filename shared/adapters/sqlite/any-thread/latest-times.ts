import type { DatabaseSync } from 'node:sqlite'
import type { LatestTimes } from '../../../event-sourcing/ports/latest-times.ts'
import type { Writer } from '../main-thread/writing/writer.ts'
import { reading } from './failures.ts'
import type { Statements } from './statements.ts'

/** Format 2: times stored beside the log. */
export function createLatestTimesTable(connection: DatabaseSync): void {
  connection.exec(`
    CREATE TABLE latest_times (kind TEXT, id TEXT, at INTEGER NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID
  `)
}

const RAISE = `
  INSERT INTO latest_times SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`

const READ = 'SELECT id, at FROM latest_times WHERE kind = ? AND id IN (SELECT value FROM json_each(?))'

/** The latest times of one kind, in a table. */
export function createLatestTimes(writer: Writer, statements: Statements, kind: string): LatestTimes {
  return {
    async raise(times) {
      if (times.size > 0) await writer.write({ kind: 'sql', sql: RAISE, values: [kind, JSON.stringify([...times])] })
    },
    read: async (ids) =>
      reading(() => {
        const found = statements.of(READ).all(kind, JSON.stringify(ids))
        return new Map(found.map(({ id, at }) => [String(id), Number(at)]))
      }),
  }
}
