import { setImmediate as nextTurn } from 'node:timers/promises'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import type { View, ViewDefinition } from '../../../event-sourcing/ports/view.ts'
import type { Reader } from '../lists/reader.ts'
import type { Statements } from '../statements.ts'
import type { OpenedView } from '../writing/write-operations.ts'
import type { Writer } from '../writing/writer.ts'
import { longStreams, writeSnapshots } from './build-snapshots.ts'
import { projectLog } from './project-log.ts'
import { shapeOf } from './view-shape.ts'
import { type ViewTables, viewTables } from './view-tables.ts'

/** Which generation of a view is read, and how the next one is made. */
export interface ViewGenerations {
  /** The tables that are read now: a rebuild swaps them. */
  readonly tables: () => ViewTables
  readonly rebuild: View<unknown>['rebuild']
}

/**
 * Makes a view ready: as it is found when its schema is this program's (caught up with the log if it is behind), else
 * built anew. Generations that a crash left behind are cleared away.
 */
export async function openGenerations(
  writer: Writer,
  statements: Statements,
  reader: Reader,
  definition: ViewDefinition<unknown>,
  found: OpenedView | undefined,
  onProgress: (reached: Position) => void,
): Promise<ViewGenerations> {
  const shape = shapeOf(definition)
  let current = viewTables(shape, found?.generation ?? 0)
  let underWay: Promise<void> | undefined

  async function build(onProgress: (reached: Position) => void): Promise<void> {
    const before = current.generation
    const { generation } = await writer.write({ kind: 'begin-rebuild', view: shape.name })
    const next = viewTables(shape, generation)
    try {
      const { longStreams } = await projectLog(writer, statements, definition, next, BEGINNING, onProgress)
      await writeSnapshots(writer, statements, definition, next, longStreams)
      await writer.write({ kind: 'activate', view: shape.name, generation })
    } catch (error) {
      await dropGeneration(writer, shape.name, generation).catch(() => undefined)
      throw error
    }
    // From here on nobody begins to read the tables before; when the last who did has ended, they may go.
    current = next
    statements.forget()
    await reader.answered()
    if (before > 0) await dropGeneration(writer, shape.name, before)
  }

  if (!found) await build(onProgress)
  else {
    const after = found.checkpoint as Position
    const projected = await projectLog(writer, statements, definition, current, after, onProgress)
    const { reached } = projected
    const long = found.lacksSnapshots ? longStreams(statements, shape.category) : projected.longStreams
    await writeSnapshots(writer, statements, definition, current, long)
    if (reached > after) await writer.write({ kind: 'activate', view: shape.name, generation: found.generation })
  }
  for (const generation of leftBehind(statements, shape.name)) await dropGeneration(writer, shape.name, generation)

  return {
    tables: () => current,
    rebuild(onProgress = () => undefined) {
      underWay ??= build(onProgress).finally(() => {
        underWay = undefined
      })
      return underWay
    },
  }
}

function leftBehind(statements: Statements, view: string): number[] {
  const found = statements.of('SELECT generation FROM views WHERE name = ? AND active = 0').all(view)
  return found.map(({ generation }) => Number(generation))
}

/** Clears a generation away in small parts, between which appends get their turn. */
async function dropGeneration(writer: Writer, view: string, generation: number): Promise<void> {
  while (!(await writer.write({ kind: 'drop', view, generation }))) await nextTurn()
}
