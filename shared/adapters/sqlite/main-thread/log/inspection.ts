import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Inspection, RowComparison } from '../../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../../event-sourcing/ports/view.ts'
import { openForReading } from '../../any-thread/connection.ts'
import { encodeId } from '../../any-thread/encode-id.ts'
import { reading } from '../../any-thread/failures.ts'
import { headOf } from '../../any-thread/log-reads.ts'
import { inSnapshot, prepareStatements, type Statements } from '../../any-thread/statements.ts'
import { generationOf } from '../../any-thread/stored-views.ts'
import { shapeOf } from '../../any-thread/view-shape.ts'
import { type ViewTables, viewTables } from '../../any-thread/view-tables.ts'
import { compareRows } from '../views/row-comparison.ts'
import { readCommits } from './recorded-commits.ts'
import { createVersionReader, NO_VERSIONS } from './stored-versions.ts'

const CACHE_KILOBYTES = 16_000

/** An inspection on its own connection, for a thread other than the one that has the database open. */
export function openSqliteInspection(file: string): Inspection & { close(): void } {
  const statements = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  return { ...createInspection(statements), close: () => statements.connection.close() }
}

/** Reads the file's tables on the calling thread; other work gets a turn after each result. */
export function createInspection(statements: Statements): Inspection {
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

  const readVersions = createVersionReader(statements)

  return {
    head: () => read(() => headOf(statements)),
    readCommits: (after, limit) => read(() => readCommits(statements, after, limit)),
    compareRows: (definition, rows) => {
      const missing = rows.map((): RowComparison => 'missing')
      return ofView(definition, (tables) => compareRows(statements, tables, definition, rows), missing)
    },
    countRows: (definition) =>
      ofView(definition, ({ rows }) => Number(statements.of(`SELECT count(*) AS n FROM ${rows}`).get()?.n), 0),
    rowIds: (definition, after, limit) =>
      ofView(definition, (tables) => rowIds(statements, tables, after, limit), [] as string[]),
    storedVersions: (definition, from) => ofView(definition, (tables) => readVersions(tables, from), NO_VERSIONS),
    lastNumber: (category) =>
      read(() => Number(statements.of('SELECT last FROM sequences WHERE category = ?').get(category)?.last ?? 0)),
  }
}

function rowIds(statements: Statements, { shape, rows }: ViewTables, after: string | undefined, limit: number) {
  const first = shape.idOrder === 'numeric' ? Number.MIN_SAFE_INTEGER : ''
  const found = statements
    .asArrays<[id: string | number]>(`SELECT id FROM ${rows} WHERE id > ? ORDER BY id LIMIT ?`)
    .all(after === undefined ? first : (encodeId(shape, after) ?? after), limit)
  return found.map(([id]) => String(id))
}
