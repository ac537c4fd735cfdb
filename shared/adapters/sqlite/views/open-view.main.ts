import { setImmediate as nextTurn } from 'node:timers/promises'
import { sharingRuns } from '../../../async/shared-runs.ts'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import type { ViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { reading } from '../file/failures.ts'
import { eventsIn, lastPosition } from '../log/log-reads.ts'
import type { Writer } from '../writing/writer.main.ts'
import { createProjection, type ViewFile } from './projection.main.ts'
import { createRecentRows } from './recent-rows.main.ts'
import { dropSqls, generationOf } from './stored-views.ts'
import { shapeOf } from './view-shape.ts'
import { type ViewTables, viewIndexSqls, viewTables, viewTablesSql } from './view-tables.ts'

/** Small enough that neither the main thread nor an append waits long. */
const POSITIONS_PER_BATCH = 500

/** A view of an open file; always at the log's head, since every append includes its row. */
export type OpenView = Awaited<ReturnType<typeof openView>>

/** Creates those indexes of a view's tables that are missing. `checkOpen` is called before each, and may throw. */
export async function createIndexes(writer: Writer, tables: ViewTables, checkOpen = () => {}): Promise<void> {
  for (const sql of viewIndexSqls(tables)) {
    checkOpen()
    await writer.write({ kind: 'tables', sql })
  }
}

/** Opens a view; if it isn't complete in the file, builds it from the log first, without the indexes. */
export async function openView(
  { writer, statements }: ViewFile,
  definition: ViewDefinition<unknown>,
  onProgress: (reached: Position) => void,
) {
  const shape = shapeOf(definition)
  const recent = createRecentRows()
  const found = generationOf(statements, shape.name)
  let tables = viewTables(shape, found ?? 0)
  let latestGeneration = found ?? 0

  /** Fills the tables of the next generation beside the current ones, then switches to them. */
  async function build(onProgress: (reached: Position) => void): Promise<void> {
    const before = tables
    const isServing = before.generation > 0
    // Never reuses the generation of a failed build, whose tables may still exist.
    const next = viewTables(shape, ++latestGeneration)
    try {
      await writer.write({ kind: 'tables', sql: viewTablesSql(next) })
      // Maintaining them takes more than half of a build; creating them at its end would block appends.
      if (isServing) await createIndexes(writer, next)
      const fold = createLogFold(next, onProgress)
      await fold()
      await writer.holdAppends(async () => {
        await fold()
        const values = [shape.name, next.generation, shape.fingerprint]
        await writer.write({ kind: 'sql', sql: 'INSERT OR REPLACE INTO views VALUES (?, ?, ?)', values })
        tables = next
        recent.clear()
      })
    } catch (error) {
      await drop(next).catch(() => undefined)
      throw error
    }
    if (isServing) await drop(before)
  }

  /** Returns a function that folds into the tables what was appended to the log since its last call. */
  function createLogFold(next: ViewTables, onProgress: (reached: Position) => void): () => Promise<void> {
    const projection = createProjection({ writer, statements }, [{ definition, tables: () => next }])
    let reached = BEGINNING
    return async () => {
      for (;;) {
        const last = reading(() => lastPosition(statements))
        if (reached === last) break
        const range = { after: reached, upTo: Math.min(reached + POSITIONS_PER_BATCH, last) as Position }
        await projection.apply(reading(() => eventsIn(statements, definition.category, range)))
        reached = range.upTo
        onProgress(reached)
        // Yields to the event loop, so that the batch is sent and other work runs before the next one is read.
        await nextTurn()
      }
      await projection.written()
    }
  }

  /** Drops one table or index per transaction: even with a million rows, none blocks appends for more than 0.1 s. */
  async function drop(old: ViewTables): Promise<void> {
    for (const sql of reading(() => dropSqls(statements, old.rows))) await writer.write({ kind: 'tables', sql })
  }

  const building = sharingRuns(build)
  if (found === undefined) await build(onProgress)
  return {
    definition,
    /** The tables that are read, and that appends write to. */
    tables: () => tables,
    recent,
    rebuild: (onProgress: (reached: Position) => void = () => undefined) => building.join(onProgress),
  }
}
