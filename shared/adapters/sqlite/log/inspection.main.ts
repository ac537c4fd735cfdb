import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Inspection } from '../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { openForReading } from '../file/connection.ts'
import { reading } from '../file/failures.ts'
import { inSnapshot, prepareStatements, type Statements } from '../file/statements.ts'
import { copyViews } from '../verify/view-copy.main.ts'
import { encodeId } from '../views/encode-id.ts'
import { generationOf } from '../views/stored-views.ts'
import { shapeOf } from '../views/view-shape.ts'
import { type ViewTables, viewTables } from '../views/view-tables.ts'
import { headOf } from './log-reads.ts'
import { readCommits } from './recorded-commits.main.ts'

const CACHE_KILOBYTES = 16_000

/** An inspection on its own connection, for a thread other than the one that has the database open. */
export function openSqliteInspection(file: string, copyName: string): Inspection & { close(): void } {
  const statements = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  return { ...createInspection(statements, copyName), close: () => statements.connection.close() }
}

/**
 * Reads the file's tables on the calling thread; other work gets a turn after each result. `copyName`: names copies of
 * its views, of which there can then be one at a time.
 */
export function createInspection(statements: Statements, copyName?: string): Inspection {
  async function read<T>(query: () => T): Promise<T> {
    const found = reading(() => inSnapshot(statements, query))
    await nextTurn()
    return found
  }

  /** `none`: the result when the view is incomplete. */
  const ofView = <T>(definition: AnyViewDefinition, query: (tables: ViewTables) => T, none: T): Promise<T> =>
    read(() => {
      // As of this snapshot, since a rebuild swaps tables.
      const generation = generationOf(statements, definition.name)
      return generation === undefined ? none : query(viewTables(shapeOf(definition), generation))
    })

  return {
    head: () => read(() => headOf(statements)),
    readCommits: (after, limit) => read(() => readCommits(statements, after, limit)),
    rowIds: (definition, after, limit) =>
      ofView(definition, (tables) => rowIds(statements, tables, after, limit), [] as string[]),
    repeatedCommits: () =>
      read(() =>
        statements
          .asArrays<[commitId: string, times: number]>(
            'SELECT commit_id, count(*) FROM events WHERE commit_index = 0 GROUP BY commit_id HAVING count(*) > 1',
          )
          .all(),
      ),
    lastNumber: (category) =>
      read(() => Number(statements.of('SELECT last FROM sequences WHERE category = ?').get(category)?.last ?? 0)),
    copyViews: (views, fold) =>
      copyViews({ file: statements.connection.location() ?? '', views, fold, name: copyName }),
  }
}

function rowIds(statements: Statements, { shape, rows }: ViewTables, after: string | undefined, limit: number) {
  const first = shape.idOrder === 'numeric' ? Number.MIN_SAFE_INTEGER : ''
  const found = statements
    .asArrays<[id: string | number]>(`SELECT id FROM ${rows} WHERE id > ? ORDER BY id LIMIT ?`)
    .all(after === undefined ? first : (encodeId(shape, after) ?? after), limit)
  return found.map(([id]) => String(id))
}
