import type { RangeValue } from '../../../event-sourcing/ports/view.ts'
import type { Statements } from '../statements.ts'

/** Which rows match, as the parts of a SELECT that can be cut by ranges of keys. */
export interface Matches {
  readonly from: string
  /** The key of a matching row. */
  readonly key: string
  readonly where: string
  readonly values: readonly RangeValue[]
  readonly isBySearchIndex: boolean
}

/** A range of keys, both ends included. */
export interface KeyRange {
  readonly lower: bigint
  readonly upper: bigint
}

/** How many rows match there. */
export function countIn(
  statements: Statements,
  { from, key, where, values }: Matches,
  { lower, upper }: KeyRange,
): number {
  const sql = `SELECT count(*) AS n FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ?`
  return Number(statements.of(sql).get(...values, lower, upper)?.n)
}

/** Of so many keys it is quicker to take all upwards, as the search index has them, than some of them downwards. */
const FEW_KEYS = 2_000

/**
 * The keys of matching rows there, highest first: `limit` of them, after the first `offset`. `atMost` so many rows match
 * there.
 */
export function keysIn(
  statements: Statements,
  { from, key, where, values, isBySearchIndex }: Matches,
  { lower, upper }: KeyRange,
  { limit, offset, atMost }: { readonly limit: number; readonly offset: number; readonly atMost: number },
): bigint[] {
  const keys = `SELECT ${key} AS key FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ?`
  const read = (sql: string, ...more: number[]): bigint[] => {
    const found = statements.withBigInts(sql).all(...values, lower, upper, ...more)
    return found.map((row) => row.key as bigint)
  }
  if (!isBySearchIndex || atMost > FEW_KEYS) return read(`${keys} ORDER BY ${key} DESC LIMIT ? OFFSET ?`, limit, offset)
  const all = read(`${keys} ORDER BY ${key}`)
  return all.reverse().slice(offset, offset + limit)
}
