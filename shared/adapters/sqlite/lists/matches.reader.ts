import type { RangeValue } from '../../../event-sourcing/ports/view.ts'
import type { Statements } from '../file/statements.ts'
import type { ViewTables } from '../views/view-tables.ts'
import { type TableQuery, toSql } from './list-query.ts'
import type { KeyRange } from './slices.ts'

/** Which rows match, as parts of a SELECT from texts at `t`. */
export interface Matches {
  readonly from: string
  readonly where: string
  readonly values: readonly RangeValue[]
}

/** How many rows match within the range. */
export function countIn(statements: Statements, { from, where, values }: Matches, { lower, upper }: KeyRange): number {
  const sql = `SELECT count(*) AS n FROM ${from} WHERE ${where} AND t.key BETWEEN ? AND ?`
  return Number(statements.of(sql).get(...values, lower, upper)?.n)
}

/** The keys of matching rows within the range, highest first: `limit` of them, after the first `offset`. */
export function keysIn(
  statements: Statements,
  { from, where, values }: Matches,
  { lower, upper }: KeyRange,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): bigint[] {
  const sql = `SELECT t.key FROM ${from} WHERE ${where} AND t.key BETWEEN ? AND ? ORDER BY t.key DESC LIMIT ? OFFSET ?`
  const found = statements.asBigIntArrays<[key: bigint]>(sql).all(...values, lower, upper, limit, offset)
  return found.map(([key]) => key)
}

/**
 * How many rows of a slice are read through the index. At 0.1 µs (for a word of three characters) to 1.1 µs (for
 * fifteen) each, this is roughly where scanning the slice costs the same.
 */
const MAX_BY_INDEX = 10_000

/**
 * The keys of all matching rows within the range, highest first, found through the search index's entries for one of
 * the words; undefined when there are too many entries.
 */
export function keysByIndex(
  statements: Statements,
  { texts, search }: ViewTables,
  { conditions, words }: TableQuery,
  { word, lower, upper }: KeyRange & { readonly word: string },
): bigint[] | undefined {
  const others = words.filter((other) => other !== word)
  const { where, values } = toSql(conditions, others)
  const matches = where ? `EXISTS (SELECT 1 FROM ${texts} AS t NOT INDEXED WHERE t.key = s.rowid AND ${where})` : '1'
  // In ascending order, as the index is stored: descending takes ten times as long.
  const sql = `SELECT s.rowid, ${matches} FROM ${search} AS s
    WHERE s.${search} MATCH ? AND s.rowid BETWEEN ? AND ? ORDER BY s.rowid LIMIT ?`
  const select = statements.asBigIntArrays<[key: bigint, isMatch: bigint]>(sql)
  const found = select.all(...values, phrase(word), lower, upper, MAX_BY_INDEX + 1)
  if (found.length > MAX_BY_INDEX) return undefined
  return found.flatMap(([key, isMatch]) => (isMatch === 1n ? key : [])).reverse()
}

/** Whether the index has at most `maxRows` rows for the word. */
export function isRare(statements: Statements, { search }: ViewTables, word: string, maxRows: number): boolean {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${search} WHERE ${search} MATCH ? LIMIT ?)`
  return Number(statements.of(sql).get(phrase(word), maxRows + 1)?.n) <= maxRows
}

/** The word as an FTS5 string, within which only the quotation mark has a special meaning. */
function phrase(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}
