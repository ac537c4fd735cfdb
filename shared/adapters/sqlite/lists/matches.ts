import type { RangeValue } from '../../../event-sourcing/view.ts'
import type { Statements } from '../statements.ts'

/** Which rows match, as the parts of a SELECT that can be cut by ranges of keys. */
export interface Matches {
  readonly from: string
  /** The key of a matching row. */
  readonly key: string
  readonly where: string
  readonly values: readonly RangeValue[]
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

/** The keys of matching rows there, highest first: `limit` of them, after the first `offset`. */
export function keysIn(
  statements: Statements,
  { from, key, where, values }: Matches,
  { lower, upper }: KeyRange,
  limit: number,
  offset: number,
): bigint[] {
  const sql = `SELECT ${key} AS key FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ? ORDER BY ${key} DESC LIMIT ? OFFSET ?`
  const found = statements.withBigInts(sql).all(...values, lower, upper, limit, offset)
  return found.map((row) => row.key as bigint)
}
