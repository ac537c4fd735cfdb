import type { Statements } from '../statements.ts'
import { HIGHEST_KEY, indexOf, type ViewTables } from '../views/view-tables.ts'
import { fewestRows, highestOfPage, type ListAnswer, rowsOf, type TableQuery, toSql } from './list-query.ts'

/** Counting so many entries of an index takes less than a millisecond. */
const QUICKLY_COUNTED = 20_000
/** So many rows are quickly looked at one by one. */
const QUICKLY_LOOKED_AT = 1_000

/**
 * Answers a list at once when that takes a millisecond or two, whatever the size of the view: all rows at any offset,
 * or those of a condition that few pass. Undefined when it may take longer.
 */
export function quickList(statements: Statements, tables: ViewTables, query: TableQuery): ListAnswer | undefined {
  if (query.term !== '') return undefined
  const highest = highestOfPage(statements, tables, query)
  if (highest === undefined) return 'unknown-cursor'
  return query.conditions.length === 0
    ? pageOfAll(statements, tables, query, highest)
    : pageOfFew(statements, tables, query, highest)
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

function pageOfFew(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
  highest: bigint,
): ListAnswer | undefined {
  const { conditions, limit, offset, withTotal } = query
  const isAlone = conditions.length === 1
  const most = isAlone ? QUICKLY_COUNTED : QUICKLY_LOOKED_AT
  const fewest = fewestRows(statements, tables, conditions, most)
  if (fewest === undefined || fewest.count === most) return undefined
  const { where, values } = toSql(conditions, 'r')
  const from = `${tables.rows} AS r INDEXED BY ${indexOf(tables, fewest.condition.column)}`
  const counted = () => Number(statements.of(`SELECT count(*) AS n FROM ${from} WHERE ${where}`).get(...values)?.n)
  const total = isAlone || !withTotal ? fewest.count : counted()
  const found = statements
    .withBigInts(`SELECT r.key AS key FROM ${from} WHERE ${where} AND r.key <= ? ORDER BY r.key DESC LIMIT ? OFFSET ?`)
    .all(...values, highest, limit, offset)
  const keys = found.map(({ key }) => key as bigint)
  return { rows: rowsOf(statements, tables, keys), total: withTotal ? total : 0 }
}
