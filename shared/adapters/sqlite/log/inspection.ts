import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Inspection } from '../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { openForReading } from '../connection.ts'
import { reading } from '../failures.ts'
import { inSnapshot, prepareStatements, type Statements } from '../statements.ts'
import { compareRows } from '../views/row-comparison.ts'
import { generationOf } from '../views/stored-views.ts'
import { encodeId, shapeOf } from '../views/view-shape.ts'
import { type ViewTables, viewTables } from '../views/view-tables.ts'
import { headOf } from './log-reads.ts'
import { readCommits } from './recorded-commits.ts'

const CACHE_KILOBYTES = 16_000

/** An inspection on a connection of its own, for another thread than the one that has the database open. */
export function openSqliteInspection(file: string): Inspection & { close(): void } {
  const statements = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  return { ...createInspection(statements), close: () => statements.connection.close() }
}

/** Reads the file's tables on the calling thread; each answer lets others have their turn. */
export function createInspection(statements: Statements): Inspection {
  async function read<T>(look: () => T): Promise<T> {
    const found = reading(() => inSnapshot(statements, look))
    await nextTurn()
    return found
  }

  return {
    head: () => read(() => headOf(statements)),
    readCommits: (after, limit) => read(() => readCommits(statements, after, limit)),
    compareRows: (definition, rows) =>
      read(() => {
        const tables = tablesOf(statements, definition)
        return tables ? compareRows(statements, tables, definition, rows) : rows.map(() => 'missing')
      }),
    countRows: (definition) =>
      read(() => {
        const tables = tablesOf(statements, definition)
        return tables ? Number(statements.of(`SELECT count(*) AS count FROM ${tables.rows}`).get()?.count) : 0
      }),
    rowIds: (definition, after, limit) =>
      read(() => {
        const tables = tablesOf(statements, definition)
        return tables ? rowIds(statements, tables, after, limit) : []
      }),
    lastNumber: (category) =>
      read(() => Number(statements.of('SELECT last FROM sequences WHERE category = ?').get(category)?.last ?? 0)),
  }
}

function rowIds(statements: Statements, { shape, rows }: ViewTables, after: string | undefined, limit: number) {
  const found =
    after === undefined
      ? statements.asArrays(`SELECT id FROM ${rows} ORDER BY id LIMIT ?`).all(limit)
      : statements
          .asArrays(`SELECT id FROM ${rows} WHERE id > ? ORDER BY id LIMIT ?`)
          .all(encodeId(shape, after) ?? after, limit)
  return (found as unknown as (readonly [id: string | number])[]).map(([id]) => String(id))
}

/** The tables that are read now: a rebuild swaps them. */
function tablesOf(statements: Statements, definition: AnyViewDefinition): ViewTables | undefined {
  const generation = generationOf(statements, definition.name)
  return generation === undefined ? undefined : viewTables(shapeOf(definition), generation)
}
