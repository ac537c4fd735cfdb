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

/** All keys of matching rows there, highest first; undefined when there are more than a few. */
export function fewKeysIn(
  statements: Statements,
  { from, key, where, values }: Matches,
  { lower, upper }: KeyRange,
): bigint[] | undefined {
  const sql = `SELECT ${key} AS key FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ? ORDER BY ${key} LIMIT ?`
  const found = statements.asBigIntArrays(sql).all(...values, lower, upper, FEW_KEYS + 1) as unknown as [bigint][]
  return found.length > FEW_KEYS ? undefined : found.map(([one]) => one).reverse()
}

/**
 * The keys of matching rows there, highest first: `limit` of them, after the first `offset`. `atMost` so many rows match
 * there.
 */
export function keysIn(
  statements: Statements,
  matches: Matches,
  range: KeyRange,
  { limit, offset, atMost }: { readonly limit: number; readonly offset: number; readonly atMost: number },
): bigint[] {
  const few = matches.isBySearchIndex && atMost <= FEW_KEYS ? fewKeysIn(statements, matches, range) : undefined
  if (few) return few.slice(offset, offset + limit)
  const { from, key, where, values } = matches
  const sql = `SELECT ${key} AS key FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ? ORDER BY ${key} DESC LIMIT ? OFFSET ?`
  const found = statements.withBigInts(sql).all(...values, range.lower, range.upper, limit, offset)
  return found.map((row) => row.key as bigint)
}
