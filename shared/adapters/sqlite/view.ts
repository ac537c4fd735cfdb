import type { Position } from '../../event-sourcing/event.ts'
import { CursorNotFound, type Page, type View, type ViewDefinition, type ViewRow } from '../../event-sourcing/view.ts'
import { reading } from './failures.ts'
import { type TablePage, toTableQuery } from './list-query.ts'
import { quickList } from './quick-list.ts'
import type { Reader } from './reader.ts'
import type { Rebuild } from './rebuild.ts'
import type { Statements } from './statements.ts'
import { decodeRow, encodeId, type StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** What a view works with. `tables` answers the generation that is read now: a rebuild swaps it. */
export interface ViewParts {
  readonly statements: Statements
  readonly reader: Reader
  readonly tables: () => ViewTables
  readonly rebuild: Rebuild
}

/** One view's reads: by key and short lists on the main thread, the rest on the reader thread. */
export function createView<State>(definition: ViewDefinition<State>, parts: ViewParts): View<State> {
  const { statements, reader, tables } = parts
  return {
    definition,
    get: async (id) => reading(() => getRow(statements, tables(), definition, id)),
    async list(query) {
      const now = tables()
      const tableQuery = toTableQuery(now, query)
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
    rebuild: (onProgress) => parts.rebuild(onProgress),
  }
}

/** The row of an id, read at once. */
export function getRow<State>(
  statements: Statements,
  tables: ViewTables,
  definition: ViewDefinition<State>,
  id: string,
): ViewRow<State> | undefined {
  const encoded = encodeId(definition, id)
  if (encoded === undefined) return undefined
  const found = statements.of(`SELECT id, version, at, state FROM ${tables.rows} WHERE id = ?`).get(encoded)
  return found && decodeRow(definition, found as unknown as StoredRow)
}

function decodePage<State>(definition: ViewDefinition<State>, page: TablePage): Page<State> {
  return { rows: page.rows.map((row) => decodeRow(definition, row)), total: page.total }
}

/** Page and total are of the same moment. */
function inSnapshot<T>({ connection }: Statements, read: () => T): T {
  connection.exec('BEGIN')
  try {
    return read()
  } finally {
    connection.exec('ROLLBACK')
  }
}
