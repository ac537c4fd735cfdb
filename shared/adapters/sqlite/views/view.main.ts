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
import { decodeRow, decodeState, type StoredRow } from './view-shape.ts'

interface FileParts {
  readonly statements: Statements
  readonly reader: Reader
  readonly reports: Reader
}

/** One view's reads: single rows and lists of all rows on the main thread, other lists and reports on threads of theirs. */
export function createView<State>(
  definition: ViewDefinition<State>,
  { tables, recent, rebuild }: OpenView,
  { statements, reader, reports }: FileParts,
): View<State> {
  const cached = (id: string) => recent.find(id) as ViewRow<State> | undefined

  /** Pages mostly repeat rows: each version of a cached one is decoded only once. */
  function decode(stored: StoredRow): ViewRow<State> {
    const row = cached(String(stored.id))
    return row?.version === stored.version ? row : decodeRow(definition, stored)
  }

  /** Decodes a row that was just read, and caches it. */
  function decodeAndCache(stored: StoredRow): ViewRow<State> {
    const row = decodeRow(definition, stored)
    recent.store(row, stored.state.length)
    return row
  }

  function listAtOnce(query: TableQuery): Page<State> | 'unknown-cursor' {
    const { limit, offset, after, withTotal } = query
    const name = `${limit} ${offset} ${withTotal} ${after ?? ''}`
    const cachedPage = recent.findPage(name)
    if (cachedPage) return cachedPage as Page<State>
    const rowOf = (id: string, version: number): ViewRow<State> => {
      const row = cached(id)
      if (row?.version === version) return row
      const stored = findRow(statements, tables(), id)
      if (!stored) throw new Error(`view ${definition.name}: row ${id} disappeared within a snapshot`)
      return decodeAndCache(stored)
    }
    // Page and total are from the same moment.
    const page = reading(() => inSnapshot(statements, () => quickList(statements, tables(), query, rowOf)))
    if (page !== 'unknown-cursor') recent.storePage(name, page)
    return page
  }

  /** The page's rows aren't cached: they may have been rewritten since the reader thread read them. */
  async function listByReader(query: TableQuery): Promise<Page<State> | Exclude<ListAnswer, object>> {
    const found = await reader.read('list', query, tables().shape)
    return typeof found === 'string' ? found : { rows: found.rows.map(decode), total: found.total }
  }

  return {
    definition,
    async get(id) {
      const row = cached(id)
      if (row) return row
      const stored = reading(() => findRow(statements, tables(), id))
      return stored && decodeAndCache(stored)
    },
    async snapshot(id, upTo) {
      const stored = reading(() => findSnapshot(statements, tables(), id, upTo))
      return stored && { state: decodeState(definition, stored.state), version: stored.version, at: stored.at }
    },
    async list(query) {
      const asked = toTableQuery(tables().shape, query)
      const isOfAll = asked.words.length === 0 && asked.conditions.length === 0 && asked.related === undefined
      const page = isOfAll ? listAtOnce(asked) : await listByReader(asked)
      if (page === 'unknown-cursor') throw new CursorNotFound(query.after ?? '')
      if (page === 'too-many-related') throw new TooManyRelated()
      return page
    },
    ledger: {
      latest: async () => reading(() => latestIn(statements, ledgerTablesOf(tables()))),
      sums: (query) => reports.read('sums', query, tables().shape),
      lines: (query) => reports.read('lines', query, tables().shape),
      changes: (query) => reports.read('changes', query, tables().shape),
    },
    // Every append, and every followed commit, includes its rows.
    checkpoint: async () => reading(() => headOf(statements)),
    rebuild,
  }
}
