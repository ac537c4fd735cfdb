import type { RangeValue } from '../../../event-sourcing/ports/view.ts'
import { type TableQuery, toSql } from '../any-thread/list-query.ts'
import type { KeyRange } from '../any-thread/slices.ts'
import type { Statements } from '../any-thread/statements.ts'
import type { ViewTables } from '../any-thread/view-tables.ts'

/** Which rows match, as parts of a SELECT that can be limited to ranges of keys. */
export interface Matches {
  readonly from: string
  /** The key of a matching row. */
  readonly key: string
  readonly where: string
  readonly values: readonly RangeValue[]
}

/** How many rows match within the range. */
export function countIn(
  statements: Statements,
  { from, key, where, values }: Matches,
  { lower, upper }: KeyRange,
): number {
  const sql = `SELECT count(*) AS n FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ?`
  return Number(statements.of(sql).get(...values, lower, upper)?.n)
}

/** The keys of matching rows within the range, highest first: `limit` of them, after the first `offset`. */
export function keysIn(
  statements: Statements,
  { from, key, where, values }: Matches,
  { lower, upper }: KeyRange,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): bigint[] {
  const sql = `SELECT ${key} AS key FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ? ORDER BY ${key} DESC LIMIT ? OFFSET ?`
  const found = statements.asBigIntArrays<[key: bigint]>(sql).all(...values, lower, upper, limit, offset)
  return found.map(([key]) => key)
}

/**
 * The most rows taken from a slice through the index: at 0.1 µs (for a term of three characters) to 1.1 µs (for
 * fifteen) each, roughly the point at which scanning the slice costs the same.
 */
const MOST_BY_INDEX = 10_000

/**
 * The keys of all matching rows within the range, highest first; undefined when the index has too many for the term.
 */
export function keysByIndex(
  statements: Statements,
  { rows, search, places, rangeColumns }: ViewTables,
  { conditions, term }: TableQuery,
  { lower, upper }: KeyRange,
): bigint[] | undefined {
  const { where, values } = toSql(conditions, 'r')
  const by = rangeColumns.length > 0 ? ` INDEXED BY ${places}` : ''
  const passes = where === '' ? '1' : `EXISTS (SELECT 1 FROM ${rows} AS r${by} WHERE r.key = s.rowid AND ${where})`
  // In ascending order, as the index is stored: descending takes ten times as long.
  const sql = `SELECT s.rowid, ${passes} FROM ${search} AS s
    WHERE s.${search} MATCH ? AND s.rowid BETWEEN ? AND ? ORDER BY s.rowid LIMIT ?`
  const select = statements.asBigIntArrays<[key: bigint, passes: bigint]>(sql)
  const found = select.all(...values, phrase(term), lower, upper, MOST_BY_INDEX + 1)
  if (found.length > MOST_BY_INDEX) return undefined
  return found.flatMap(([key, isPassed]) => (isPassed === 1n ? key : [])).reverse()
}

/** The literal term: within the quotes of an FTS5 string only the quote itself has a special meaning. */
function phrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}
