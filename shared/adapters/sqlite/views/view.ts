import type { Position } from '../../../event-sourcing/event.ts'
import {
  CursorNotFound,
  type Page,
  type View,
  type ViewDefinition,
  type ViewRow,
} from '../../../event-sourcing/ports/view.ts'
import { reading } from '../failures.ts'
import { type TablePage, toTableQuery } from '../lists/list-query.ts'
import { quickList } from '../lists/quick-list.ts'
import type { Reader } from '../lists/reader.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Statements } from '../statements.ts'
import type { RecentRows } from './recent-rows.ts'
import { findRow } from './stored-row.ts'
import type { ViewGenerations } from './view-generations.ts'
import { decodeRow } from './view-shape.ts'

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
  return {
    definition,
    async get(id) {
      const now = tables()
      const recentRow = recent.find(now, id)
      if (recentRow) return recentRow as ViewRow<State>
      const stored = reading(() => findRow(statements, now, id))
      if (!stored) return undefined
      const row = decodeRow(definition, stored)
      recent.keep(row, stored.state.length)
      return row
    },
    async list(query) {
      const now = tables()
      const tableQuery = toTableQuery(now, query)
      // Page and total are of the same moment.
      const quick = reading(() => inSnapshot(statements, () => quickList(statements, now, tableQuery)))
      const page = quick ?? (await reader.list(now, tableQuery))
      if (page === 'unknown-cursor') throw new CursorNotFound(query.after ?? '')
      return decodePage(definition, page)
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

function decodePage<State>(definition: ViewDefinition<State>, page: TablePage): Page<State> {
  return { rows: page.rows.map((row) => decodeRow(definition, row)), total: page.total }
}
