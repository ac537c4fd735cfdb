import type { Position } from '../../../event-sourcing/event.ts'
import {
  CursorNotFound,
  type Page,
  type View,
  type ViewDefinition,
  type ViewRow,
} from '../../../event-sourcing/ports/view.ts'
import { reading } from '../failures.ts'
import { type TableQuery, toTableQuery } from '../lists/list-query.ts'
import { quickList } from '../lists/quick-list.ts'
import type { Reader } from '../lists/reader.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Statements } from '../statements.ts'
import type { RecentRows } from './recent-rows.ts'
import { findSnapshot } from './snapshot-table.ts'
import { findRow } from './stored-row.ts'
import type { ViewGenerations } from './view-generations.ts'
import { decodeRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** What a view works with. */
export interface ViewParts {
  readonly statements: Statements
  readonly reader: Reader
  readonly generations: ViewGenerations
  readonly recent: RecentRows
}

/** One view's reads: by key and lists of all rows on the main thread, the rest on the reader thread. */
export function createView<State>(definition: ViewDefinition<State>, parts: ViewParts): View<State> {
  const { statements, reader, generations, recent } = parts
  const { tables } = generations

  /** The row as the tables hold it now, which is kept. Throws SQLite's errors. */
  function read(now: ViewTables, id: string): ViewRow<State> | undefined {
    const stored = findRow(statements, now, id)
    if (!stored) return undefined
    const row = decodeRow(definition, stored)
    recent.keep(row, stored.state.length)
    return row
  }

  /** The rows of a page are mostly those of the one before: they are decoded once for each version. */
  function kept(now: ViewTables, id: string, version: number): ViewRow<State> | undefined {
    return recent.findVersion(now, id, version) as ViewRow<State> | undefined
  }

  function listAtOnce(now: ViewTables, query: TableQuery): Page<State> | 'unknown-cursor' | undefined {
    if (query.term !== '' || query.conditions.length > 0) return undefined
    const { limit, offset, after, withTotal } = query
    const name = `${limit} ${offset} ${withTotal} ${after ?? ''}`
    const keptPage = recent.findPage(now, name)
    if (keptPage) return keptPage as Page<State>
    const rowOf = (id: string, version: number): ViewRow<State> => {
      const row = kept(now, id, version) ?? read(now, id)
      if (!row) throw new Error(`view ${definition.name}: the row ${id} went away within a snapshot`)
      return row
    }
    // Page and total are of the same moment.
    const page = reading(() => inSnapshot(statements, () => quickList(statements, now, query, rowOf)))
    if (page !== 'unknown-cursor') recent.keepPage(name, page)
    return page
  }

  /** Its rows aren't kept: they may have been written anew since the reader thread read them. */
  async function listByReader(now: ViewTables, query: TableQuery): Promise<Page<State> | 'unknown-cursor'> {
    const page = await reader.list(now, query)
    if (page === 'unknown-cursor') return page
    const rows = page.rows.map((row) => kept(now, String(row.id), row.version) ?? decodeRow(definition, row))
    return { rows, total: page.total }
  }

  return {
    definition,
    async get(id) {
      const now = tables()
      return (recent.find(now, id) as ViewRow<State> | undefined) ?? reading(() => read(now, id))
    },
    async snapshot(id, upTo) {
      const stored = reading(() => findSnapshot(statements, tables(), id, upTo))
      return stored && { state: JSON.parse(stored.state) as State, version: stored.version, at: stored.at }
    },
    async list(query) {
      const now = tables()
      const tableQuery = toTableQuery(now, query)
      const page = listAtOnce(now, tableQuery) ?? (await listByReader(now, tableQuery))
      if (page === 'unknown-cursor') throw new CursorNotFound(query.after ?? '')
      return page
    },
    checkpoint: async () =>
      reading(() => {
        const { shape, generation } = tables()
        const found = statements
          .of('SELECT checkpoint FROM views WHERE name = ? AND generation = ?')
          .get(shape.name, generation)
        return Number(found?.checkpoint ?? 0) as Position
      }),
    rebuild: generations.rebuild,
  }
}
