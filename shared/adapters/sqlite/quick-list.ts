import { countUpTo, rowsOf, type TablePage, type TableQuery } from './list-query.ts'
import type { Statements } from './statements.ts'
import { HIGHEST_KEY, type ViewTables } from './view-tables.ts'

/** Counting so many entries of an index takes less than a millisecond. */
const QUICKLY_COUNTED = 20_000

/**
 * Answers a list at once when that takes a millisecond or two, whatever the size of the view: all rows at any offset,
 * or those of a filter that few pass. Undefined when it may take longer.
 */
export function quickList(statements: Statements, tables: ViewTables, query: TableQuery): TablePage | undefined {
  if (query.term !== '') return undefined
  return query.filters.length === 0 ? pageOfAll(statements, tables, query) : pageOfFew(statements, tables, query)
}

/** The counts tell the total, and near which key the page begins. */
function pageOfAll(statements: Statements, tables: ViewTables, { limit, offset }: TableQuery): TablePage {
  const total = Number(statements.of(`SELECT sum(rows) AS n FROM ${tables.counts}`).get()?.n)
  if (offset >= total) return { rows: [], total }
  const { upper, passed } = offset === 0 ? { upper: HIGHEST_KEY, passed: 0 } : startOfPage(statements, tables, offset)
  const found = statements
    .withBigInts(`SELECT key FROM ${tables.rows} WHERE key <= ? ORDER BY key DESC LIMIT ? OFFSET ?`)
    .all(upper, limit, offset - passed)
  const keys = found.map(({ key }) => key as bigint)
  return { rows: rowsOf(statements, tables, keys), total }
}

/** The highest key of the entry of the counts in which the page begins, and how many rows lie before it. */
function startOfPage(statements: Statements, tables: ViewTables, offset: number): { upper: bigint; passed: number } {
  const counts = statements.withBigInts(`SELECT first, rows FROM ${tables.counts} ORDER BY first DESC`).iterate()
  let upper = HIGHEST_KEY
  let passed = 0
  for (const count of counts) {
    const rows = Number(count.rows)
    if (passed + rows > offset) break
    passed += rows
    upper = (count.first as bigint) - 1n
  }
  return { upper, passed }
}

function pageOfFew(statements: Statements, tables: ViewTables, query: TableQuery): TablePage | undefined {
  const total = countUpTo(statements, tables, query.filters, QUICKLY_COUNTED)
  if (total === QUICKLY_COUNTED) return undefined
  const where = query.filters.map(([column]) => `${column} = ?`).join(' AND ')
  const values = query.filters.map(([, value]) => value)
  const found = statements
    .withBigInts(`SELECT key FROM ${tables.rows} WHERE ${where} ORDER BY key DESC LIMIT ? OFFSET ?`)
    .all(...values, query.limit, query.offset)
  const keys = found.map(({ key }) => key as bigint)
  return { rows: rowsOf(statements, tables, keys), total }
}
