import type { LatestTimes } from '../../event-sourcing/ports/latest-times.ts'
import { reading } from './file/failures.ts'
import type { Statements } from './file/statements.ts'
import type { Writer } from './writing/writer.main.ts'

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
