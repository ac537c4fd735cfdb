import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../../event-sourcing/event.ts'
import { foldBatch } from '../../../event-sourcing/projector.ts'
import type { ViewDefinition } from '../../../event-sourcing/view.ts'
import { readLog } from '../log/event-store.ts'
import type { Statements } from '../statements.ts'
import type { Writer } from '../writing/writer.ts'
import { findRow } from './stored-row.ts'
import { decodeRow, encodeRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** Small enough that neither the main thread nor an append waits long. */
const EVENTS_PER_BATCH = 1000

/**
 * Folds the log after a position onto tables of a view, up to the head as it is found, and returns the position
 * reached. Rows are written only if newer, so appends may write into the same tables all the while.
 */
export async function projectLog(
  writer: Writer,
  statements: Statements,
  definition: ViewDefinition<unknown>,
  tables: ViewTables,
  after: Position,
  onProgress: (reached: Position) => void,
): Promise<Position> {
  let reached = after
  let writing: Promise<unknown> = Promise.resolve()
  for (;;) {
    const events = readLog(statements, reached, EVENTS_PER_BATCH)
    const last = events.at(-1)
    if (!last) break
    // The rows of the batch before have to be there before this one is folded onto them.
    await writing
    const rows = foldBatch(definition, events, (id) => {
      const stored = findRow(statements, tables, id)
      return stored && decodeRow(definition, stored)
    })
    const encoded = rows.map((row) => encodeRow(definition, row))
    writing = writer.write({ kind: 'project', view: definition.name, generation: tables.generation, rows: encoded })
    writing.catch(() => undefined)
    reached = last.position
    onProgress(reached)
    await nextTurn()
  }
  await writing
  return reached
}

/** Clears a generation away in small parts, between which appends get their turn. */
export async function dropGeneration(writer: Writer, view: string, generation: number): Promise<void> {
  while (!(await writer.write({ kind: 'drop', view, generation }))) await nextTurn()
}
