import { setImmediate as nextTurn } from 'node:timers/promises'
import { sharingRuns } from '../../../../async/shared-runs.ts'
import { BEGINNING, type Position } from '../../../../event-sourcing/event.ts'
import type { ViewDefinition } from '../../../../event-sourcing/ports/view.ts'
import { reading } from '../../any-thread/failures.ts'
import { eventsAfter } from '../../any-thread/log-reads.ts'
import { generationOf } from '../../any-thread/stored-views.ts'
import { shapeOf } from '../../any-thread/view-shape.ts'
import { dropTableSqls, type ViewTables, viewTables, viewTablesSql } from '../../any-thread/view-tables.ts'
import type { OpenFile } from '../open-file.ts'
import { createProjection } from './projection.ts'
import { createRecentRows } from './recent-rows.ts'

/** Small enough that neither the main thread nor an append waits long. */
const EVENTS_PER_BATCH = 500

/** A view of an open file, at the head of the log: every append brings its row. */
export type OpenView = Awaited<ReturnType<typeof openView>>

/** Opens a view as it is found whole in the file, else builds it from the log first. */
export async function openView(
  { writer, statements }: Pick<OpenFile, 'writer' | 'statements'>,
  definition: ViewDefinition<unknown>,
  onProgress: (reached: Position) => void,
) {
  const shape = shapeOf(definition)
  const recent = createRecentRows()
  const found = generationOf(statements, shape.name)
  let tables = viewTables(shape, found ?? 0)
  let latestGeneration = found ?? 0

  /** The tables of the next generation, filled beside those that are read, and then read instead. */
  async function build(onProgress: (reached: Position) => void): Promise<void> {
    const before = tables
    // Never that of a build that failed, whose tables may still be there.
    const next = viewTables(shape, ++latestGeneration)
    try {
      await writer.write({ kind: 'tables', sql: viewTablesSql(next) })
      const fold = foldingLogOnto(next, onProgress)
      await fold()
      await writer.holdAppends(async () => {
        await fold()
        const values = [shape.name, next.generation, shape.schema]
        await writer.write({ kind: 'sql', sql: 'INSERT OR REPLACE INTO views VALUES (?, ?, ?)', values })
        tables = next
        recent.clear()
      })
    } catch (error) {
      await drop(next).catch(() => undefined)
      throw error
    }
    if (before.generation > 0) await drop(before)
  }

  /** Folds what has come into the log since the last time. */
  function foldingLogOnto(next: ViewTables, onProgress: (reached: Position) => void): () => Promise<void> {
    const projection = createProjection({ writer, statements }, [{ definition, tables: () => next }])
    let reached = BEGINNING
    return async () => {
      for (let isMore = true; isMore; ) {
        const events = reading(() => eventsAfter(statements, reached, EVENTS_PER_BATCH))
        isMore = events.length === EVENTS_PER_BATCH
        await projection.apply(events)
        reached = events.at(-1)?.position ?? reached
        onProgress(reached)
        // The batch is handed over, and others have their turn, before the next one is read.
        await nextTurn()
      }
      await projection.written()
    }
  }

  /** One table or index in a transaction: at a million rows none holds up appends for more than a tenth of a second. */
  async function drop(old: ViewTables): Promise<void> {
    for (const sql of dropTableSqls(old)) await writer.write({ kind: 'tables', sql })
  }

  const building = sharingRuns(build)
  if (found === undefined) await build(onProgress)
  return {
    definition,
    /** Those that are read, and written by appends. */
    tables: () => tables,
    recent,
    rebuild: (onProgress: (reached: Position) => void = () => undefined) => building.join(onProgress),
  }
}
