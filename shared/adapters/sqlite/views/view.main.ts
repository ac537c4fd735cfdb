import {
  CursorNotFound,
  type Page,
  TooManyRelated,
  type View,
  type ViewDefinition,
  type ViewRow,
} from '../../../event-sourcing/ports/view.ts'
import { reading } from '../file/failures.ts'
import { inSnapshot, type Statements } from '../file/statements.ts'
import { type ListAnswer, type TableQuery, toTableQuery } from '../lists/list-query.ts'
import { quickList } from '../lists/quick-list.main.ts'
import { headOf } from '../log/log-reads.ts'
import type { Reader } from '../reading/reader.main.ts'
import { latestIn, ledgerTablesOf } from '../sums/ledger-tables.ts'
import type { OpenView } from './open-view.main.ts'
import { findRow, findSnapshot } from './stored-rows.main.ts'
import { decodeRow, decodeState } from './view-shape.ts'

interface FileParts {
  readonly statements: Statements
  readonly reader: Reader
}

/** One view's reads: single rows and lists of all rows on the main thread, other lists on the reader thread. */
export function createView<State>(
  definition: ViewDefinition<State>,
  open: OpenView,
  { statements, reader }: FileParts,
): View<State> {
  const { tables, recent, rebuild } = open
  const { find, cached, read } = createRows(definition, open, statements)

  function listAtOnce(query: TableQuery): Page<State> | 'unknown-cursor' | undefined {
    if (query.words.length > 0 || query.conditions.length > 0 || query.related) return undefined
    const { limit, offset, after, withTotal } = query
    const name = `${limit} ${offset} ${withTotal} ${after ?? ''}`
    const cachedPage = recent.findPage(name)
    if (cachedPage) return cachedPage as Page<State>
    const rowOf = (id: string, version: number): ViewRow<State> => {
      const row = cached(id, version) ?? read(id)
      if (!row) throw new Error(`view ${definition.name}: row ${id} disappeared within a snapshot`)
      return row
    }
    // Page and total are from the same moment.
    const page = reading(() => inSnapshot(statements, () => quickList(statements, tables(), query, rowOf)))
    if (page !== 'unknown-cursor') recent.storePage(name, page)
    return page
  }

  /** The page's rows aren't cached: they may have been rewritten since the reader thread read them. */
  async function listByReader(query: TableQuery): Promise<Page<State> | Exclude<ListAnswer, object>> {
    const page = await reader.read('list', tables().shape, query)
    if (typeof page === 'string') return page
    const rows = page.rows.map((row) => cached(String(row.id), row.version) ?? decodeRow(definition, row))
    return { rows, total: page.total }
  }

  return {
    definition,
    get: async (id) => find(id) ?? reading(() => read(id)),
    async snapshot(id, upTo) {
      const stored = reading(() => findSnapshot(statements, tables(), id, upTo))
      return stored && { state: decodeState(definition, stored.state), version: stored.version, at: stored.at }
    },
    async list(query) {
      const tableQuery = toTableQuery(tables().shape, query)
      const page = listAtOnce(tableQuery) ?? (await listByReader(tableQuery))
      if (page === 'unknown-cursor') throw new CursorNotFound(query.after ?? '')
      if (page === 'too-many-related') throw new TooManyRelated()
      return page
    },
    ledger: {
      latest: async () => reading(() => latestIn(statements, ledgerTablesOf(tables()))),
      sums: (query) => reader.read('sums', tables().shape, query),
      lines: (query) => reader.read('lines', tables().shape, query),
      changes: (query) => reader.read('changes', tables().shape, query),
    },
    // Every append, and every followed commit, includes its rows.
    checkpoint: async () => reading(() => headOf(statements)),
    rebuild,
  }
}

/** Reads single rows, and caches recent ones. */
function createRows<State>(
  definition: ViewDefinition<State>,
  { tables, recent }: Pick<OpenView, 'tables' | 'recent'>,
  statements: Statements,
) {
  const find = (id: string) => recent.find(id) as ViewRow<State> | undefined
  return {
    /** The cached row. */
    find,
    /** The cached row, if it has this version: pages mostly repeat rows, and each version is decoded only once. */
    cached(id: string, version: number): ViewRow<State> | undefined {
      const row = find(id)
      return row?.version === version ? row : undefined
    },
    /** Reads the stored row and caches it. Throws SQLite's errors. */
    read(id: string): ViewRow<State> | undefined {
      const stored = findRow(statements, tables(), id)
      if (!stored) return undefined
      const row = decodeRow(definition, stored)
      recent.store(row, stored.state.length)
      return row
    },
  }
}
