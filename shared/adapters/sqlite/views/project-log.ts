import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../../event-sourcing/event.ts'
import type { ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { foldBatch } from '../../../event-sourcing/projector.ts'
import { leavesSnapshot } from '../../../event-sourcing/snapshots.ts'
import { reading } from '../failures.ts'
import { eventsAfter } from '../log/log-reads.ts'
import type { Statements } from '../statements.ts'
import type { Writer } from '../writing/writer.ts'
import { findRow } from './stored-row.ts'
import { decodeRow, encodeRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** Small enough that neither the main thread nor an append waits long. */
const EVENTS_PER_BATCH = 500
/** While one is written another waits for it, so that the writer thread never waits for the main one. */
const BATCHES_ON_THE_WAY = 2

export interface Projected {
  readonly reached: Position
  /** Streams that came to a version of which there should be a snapshot. */
  readonly longStreams: ReadonlySet<string>
}

/**
 * Folds the log after a position onto tables of a view, up to the head as it is found: read and folded on the main thread, written by the writer thread. Rows are written only if newer, so appends
 * may write into the same tables all the while.
 */
export async function projectLog(
  writer: Writer,
  statements: Statements,
  definition: ViewDefinition<unknown>,
  tables: ViewTables,
  after: Position,
  onProgress: (reached: Position) => void,
): Promise<Projected> {
  let reached = after
  const longStreams = new Set<string>()
  /** Batches that may not be written yet, the oldest first. */
  const onTheWay: { readonly rows: ReadonlyMap<string, ViewRow>; readonly written: Promise<unknown> }[] = []
  const current = (id: string): ViewRow | undefined => {
    const row = onTheWay.findLast(({ rows }) => rows.has(id))?.rows.get(id)
    if (row) return row
    const stored = findRow(statements, tables, id)
    return stored && decodeRow(definition, stored)
  }
  for (;;) {
    const events = reading(() => eventsAfter(statements, reached, EVENTS_PER_BATCH))
    const last = events.at(-1)
    if (!last) break
    for (const { stream, version } of events) {
      if (stream.category === definition.category && leavesSnapshot(version - 1, version)) longStreams.add(stream.id)
    }
    const rows = reading(() => foldBatch(definition, events, current))
    const encoded = rows.map((row) => encodeRow(definition, row))
    if (onTheWay.length === BATCHES_ON_THE_WAY) await onTheWay.shift()?.written
    const written = writer.write({
      kind: 'project',
      view: definition.name,
      generation: tables.generation,
      rows: encoded,
    })
    // It is waited for later on; until then a failure is nobody's.
    written.catch(() => undefined)
    onTheWay.push({ rows: new Map(rows.map((row) => [row.id, row])), written })
    reached = last.position
    onProgress(reached)
    // The batch is handed over, and others have their turn, before the next one is read.
    await nextTurn()
  }
  for (const { written } of onTheWay) await written
  return { reached, longStreams }
}
