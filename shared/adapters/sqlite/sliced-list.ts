import { type Matches, matchesOf, rowsOf, type TablePage, type TableQuery } from './list-query.ts'
import type { Statements } from './statements.ts'
import { HIGHEST_KEY, type ViewTables } from './view-tables.ts'

/** How long one slice should take at the most, in milliseconds: others wait so long. */
const LONGEST_SLICE = 4
const SHORT_SLICE = 1.5
/** Entries of the counts that the first slice spans. */
const FIRST_SPAN = 8

/**
 * Answers a list by going through the keys from the newest to the oldest in slices of a few milliseconds, yielding
 * after each so that other lists get their turn. A slice spans more keys or fewer by how long the last one took.
 * The caller keeps one read transaction open all the while: page and total are then of the same moment.
 */
export function* slicedList(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
): Generator<undefined, TablePage> {
  const matches = matchesOf(statements, tables, query)
  const firsts = boundaries(statements, tables)
  const keys: bigint[] = []
  let total = 0
  let span = FIRST_SPAN
  let upper = HIGHEST_KEY
  for (let at = 0; at < firsts.length; ) {
    const started = performance.now()
    const next = Math.min(at + span, firsts.length)
    const lower = firsts[next - 1] ?? upper
    const found = countBetween(statements, matches, lower, upper)
    const from = Math.max(0, query.offset - total)
    if (found > from && keys.length < query.limit) {
      keys.push(...keysBetween(statements, matches, lower, upper, query.limit - keys.length, from))
    }
    total += found
    upper = lower - 1n
    at = next
    const took = performance.now() - started
    if (took < SHORT_SLICE) span *= 2
    else if (took > LONGEST_SLICE) span = Math.max(1, Math.floor(span / 2))
    if (at < firsts.length) yield
  }
  return { rows: rowsOf(statements, tables, keys), total }
}

/** Where the counts begin, highest first: at most 2,048 rows lie between two. */
function boundaries(statements: Statements, tables: ViewTables): bigint[] {
  const counts = statements.withBigInts(`SELECT first FROM ${tables.counts} ORDER BY first DESC`).all()
  return counts.map(({ first }) => first as bigint)
}

function countBetween(statements: Statements, { from, key, where, values }: Matches, lower: bigint, upper: bigint) {
  const sql = `SELECT count(*) AS n FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ?`
  return Number(statements.of(sql).get(...values, lower, upper)?.n)
}

function keysBetween(
  statements: Statements,
  { from, key, where, values }: Matches,
  lower: bigint,
  upper: bigint,
  limit: number,
  offset: number,
): bigint[] {
  const sql = `SELECT ${key} AS key FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ? ORDER BY ${key} DESC LIMIT ? OFFSET ?`
  const found = statements.withBigInts(sql).all(...values, lower, upper, limit, offset)
  return found.map((row) => row.key as bigint)
}
