import type { Statements } from '../statements.ts'
import type { ViewTables } from '../views/view-tables.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery } from './list-query.ts'
import type { SliceMemory } from './slice-memory.ts'
import { entriesOf, knownSlice, type Slice, sliceOf, spanUpToKnown } from './slices.ts'
import { type Matches, waysTo } from './ways.ts'

/** How long one slice should take at the most, in milliseconds: others wait so long. */
const LONGEST_SLICE = 4
const SHORT_SLICE = 1.5
/** Entries of the counts that the first slice spans. */
const FIRST_SPAN = 8

/** A way to the matching rows, and how it did lately. */
interface Way {
  readonly matches: Matches
  /** Milliseconds for each row that it passed; 0 while untried. */
  cost: number
  /** Its first slice says little: it also fetches what the following ones find in the cache. */
  isWarm: boolean
  /** How many entries of the counts its next slice spans. */
  span: number
}

/**
 * Answers a list by going through the keys from the newest to the oldest in slices of a few milliseconds, yielding
 * after each so that other lists get their turn. A slice spans more keys or fewer by how long the last one took, and
 * goes the way that was cheaper lately. A slice that was counted before, and where nothing was written since, isn't
 * counted again. The caller keeps one read transaction open all the while: page and total are
 * then of the same moment.
 */
export function* slicedList(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
  memory: SliceMemory,
): Generator<undefined, ListAnswer> {
  const highest = highestOfPage(statements, tables, query)
  if (highest === undefined) return 'unknown-cursor'
  const ways = waysTo(statements, tables, query).map(
    (matches): Way => ({ matches, cost: 0, isWarm: false, span: FIRST_SPAN }),
  )
  const [first] = ways
  if (!first) throw new Error('no way to the rows')
  const known = memory.of(JSON.stringify([tables.rows, query.conditions, query.term]))
  const entries = entriesOf(statements, tables)
  const keys: bigint[] = []
  let way = first
  let total = 0
  // Where nothing is counted, what lies before the page needn't be looked at, nor what lies after it.
  let at = query.withTotal ? 0 : entries.findIndex(({ first }) => first <= highest)
  while (at < entries.length && (query.withTotal || keys.length < query.limit)) {
    const started = performance.now()
    const counted = knownSlice(known, entries, at)
    const slice = sliceOf(entries, at, counted?.entries ?? spanUpToKnown(known, entries, at, way.span))
    const toPass = Math.max(0, query.offset - total)
    const isCounted = query.withTotal || toPass > 0
    const found = counted?.found ?? (isCounted ? countIn(statements, way.matches, slice) : slice.spanned)
    if (isCounted && !counted) known.set(slice.upper, { ...slice, found })
    if (found > toPass && keys.length < query.limit && slice.lower <= highest) {
      const upper = slice.upper < highest ? slice.upper : highest
      keys.push(...keysIn(statements, way.matches, { ...slice, upper }, query.limit - keys.length, toPass))
    }
    total += found
    at += slice.entries
    if (counted) continue
    const took = performance.now() - started
    learn(way, slice, took)
    // While slices are quick there is nothing to gain; else the other way is tried once, then the cheaper one taken.
    if (took >= SHORT_SLICE) way = ways.reduce((cheapest, other) => (other.cost < cheapest.cost ? other : cheapest))
    if (at < entries.length) yield
  }
  return { rows: rowsOf(statements, tables, keys), total: query.withTotal ? total : 0 }
}

function learn(way: Way, { spanned }: Slice, took: number): void {
  if (way.isWarm) way.cost = took / Math.max(1, spanned)
  way.isWarm = true
  if (took < SHORT_SLICE) way.span *= 2
  else if (took > LONGEST_SLICE) way.span = Math.max(1, Math.floor(way.span / 2))
}

function countIn(statements: Statements, { from, key, where, values }: Matches, { lower, upper }: Slice): number {
  const sql = `SELECT count(*) AS n FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ?`
  const counted = statements.of(sql).get(...values, lower, upper)
  return Number(counted?.n)
}

function keysIn(
  statements: Statements,
  { from, key, where, values }: Matches,
  { lower, upper }: Slice,
  limit: number,
  offset: number,
): bigint[] {
  const sql = `SELECT ${key} AS key FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ? ORDER BY ${key} DESC LIMIT ? OFFSET ?`
  const found = statements.withBigInts(sql).all(...values, lower, upper, limit, offset)
  return found.map((row) => row.key as bigint)
}
