import type { DatabaseSync } from 'node:sqlite'
import type { LatestTimes } from '../../event-sourcing/ports/latest-times.ts'
import { reading } from './failures.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writing/writer.ts'

/** Format 2: times that are kept beside the log. */
export function createLatestTimesTable(connection: DatabaseSync): void {
  connection.exec(`
    CREATE TABLE latest_times (kind TEXT, id TEXT, at INTEGER NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID
  `)
}

/** The latest times of one kind, in a table. */
export function createLatestTimes(writer: Writer, statements: Statements, kind: string): LatestTimes {
  return {
    async raise(times) {
      if (times.size > 0) await writer.write({ kind: 'raise-times', of: kind, times: [...times] })
    },
    read: async (ids) =>
      reading(() => {
        const select = statements.of(
          'SELECT id, at FROM latest_times WHERE kind = ? AND id IN (SELECT value FROM json_each(?))',
        )
        const found = select.all(kind, JSON.stringify(ids))
        return new Map(found.map(({ id, at }) => [String(id), Number(at)]))
      }),
  }
}

/** The writer's part of `raise`. */
export function raiseTimes(statements: Statements, kind: string, times: readonly (readonly [string, number])[]): void {
  const raise = statements.of(
    'INSERT INTO latest_times VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
  )
  for (const [id, at] of times) raise.run(kind, id, at)
}
