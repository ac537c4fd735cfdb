import type { StreamName } from '../../../event-sourcing/event.ts'
import type { StreamRange } from '../../../event-sourcing/ports/event-store.ts'
import type { ViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { SNAPSHOT_INTERVAL, snapshotsOf } from '../../../event-sourcing/snapshots.ts'
import { reading } from '../failures.ts'
import { eventsOf } from '../log/log-reads.ts'
import type { Statements } from '../statements.ts'
import type { Writer } from '../writing/writer.ts'
import { encodeId } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** The ids of the streams of a category that are long enough for a snapshot. Reads an index, once through. */
export function longStreams(statements: Statements, category: string): ReadonlySet<string> {
  const found = statements
    .asArrays('SELECT stream_id FROM events WHERE category = ? AND version = ?')
    .all(category, SNAPSHOT_INTERVAL) as unknown as readonly (readonly [string])[]
  return new Set(found.map(([id]) => id))
}

/** Writes all the snapshots of these streams, folded from the log. */
export async function writeSnapshots(
  writer: Writer,
  statements: Statements,
  definition: ViewDefinition<unknown>,
  { shape, generation }: ViewTables,
  ids: Iterable<string>,
): Promise<void> {
  const readStream = async (stream: StreamName, range: StreamRange = {}) =>
    reading(() => eventsOf(statements, stream, range))
  for (const id of ids) {
    for await (const { state, version, at } of snapshotsOf({ readStream }, definition, id)) {
      const snapshot = { id: encodeId(shape, id) ?? id, version, at, state: JSON.stringify(state) }
      await writer.write({ kind: 'project', view: shape.name, generation, rows: [], snapshots: [snapshot] })
    }
  }
}
