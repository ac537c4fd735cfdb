import type { Statements } from '../statements.ts'
import { HIGHEST_KEY, type ViewTables } from '../views/view-tables.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery } from './list-query.ts'

/**
 * Answers a list of all rows at once, at any offset: it takes a millisecond, whatever the size of the view. Undefined
 * where conditions or a term must be checked, which may take longer.
 */
export function quickList(statements: Statements, tables: ViewTables, query: TableQuery): ListAnswer | undefined {
  if (query.term !== '' || query.conditions.length > 0) return undefined
  const highest = highestOfPage(statements, tables, query)
  return highest === undefined ? 'unknown-cursor' : pageOfAll(statements, tables, query, highest)
}

/** The counts tell the total, and near which key the page begins. */
function pageOfAll(statements: Statements, tables: ViewTables, query: TableQuery, highest: bigint): ListAnswer {
  const { limit, offset, withTotal } = query
  const total = withTotal ? Number(statements.of(`SELECT sum(rows) AS n FROM ${tables.counts}`).get()?.n) : 0
  if (withTotal && offset >= total) return { rows: [], total }
  const start = offset === 0 ? { upper: highest, passed: 0 } : startOfPage(statements, tables, offset)
  if (!start) return { rows: [], total }
  const found = statements
    .withBigInts(`SELECT key FROM ${tables.rows} WHERE key <= ? ORDER BY key DESC LIMIT ? OFFSET ?`)
    .all(start.upper, limit, offset - start.passed)
  const keys = found.map(({ key }) => key as bigint)
  return { rows: rowsOf(statements, tables, keys), total }
}

/**
 * The highest key of the entry of the counts in which the page begins, and how many rows lie before it; undefined when
 * there are no more rows than the offset.
 */
function startOfPage(
  statements: Statements,
  tables: ViewTables,
  offset: number,
): { readonly upper: bigint; readonly passed: number } | undefined {
  const counts = statements.withBigInts(`SELECT first, rows FROM ${tables.counts} ORDER BY first DESC`).iterate()
  let upper = HIGHEST_KEY
  let passed = 0
  for (const count of counts) {
    const rows = Number(count.rows)
    if (passed + rows > offset) return { upper, passed }
    passed += rows
    upper = (count.first as bigint) - 1n
  }
  return undefined
}
