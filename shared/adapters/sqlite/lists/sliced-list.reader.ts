import { LRUCache } from 'lru-cache'
import type { Statements } from '../file/statements.ts'
import { headOf } from '../log/log-reads.ts'
import { HIGHEST_KEY, indexOf, type ViewTables } from '../views/view-tables.ts'
import { fewMatches } from './few-matches.reader.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery, toSql } from './list-query.ts'
import { countRelated, relatedCacheKey, withRelation } from './related-rows.reader.ts'
import { type KeyRange, slicesOf } from './slices.ts'

/** What is known of a query's matches; valid while the log's head is the same. */
interface KnownMatches {
  /** The keys of the newest ones, highest first; if they are few, of all. */
  readonly newest: BigInt64Array
  /** undefined: not counted yet. */
  readonly total?: number
}

/** How many of the newest matches are cached: the largest page. */
const MAX_NEWEST = 100

/** The results of recent queries. */
export type ListCache = LRUCache<string, KnownMatches>

/** This many keys take 6 MB. */
const MAX_KEYS = 800_000

/** Creates an empty cache. */
export const createListCache = (): ListCache =>
  new LRUCache({ maxSize: MAX_KEYS, sizeCalculation: ({ newest }) => Math.max(MAX_NEWEST, newest.length) })

/**
 * Lists rows: few through an index, others by scanning the view in slices, newest first. Yields every few milliseconds,
 * so that other lists get a turn. While nothing is written, the same query's matches are counted only once. The caller
 * keeps one read transaction open throughout, so that page and total are from the same moment.
 */
export function* slicedList(
  statements: Statements,
  tables: ViewTables,
  given: TableQuery,
  cache: ListCache,
): Generator<undefined, ListAnswer> {
  const highest = highestOfPage(statements, tables, given)
  if (highest === undefined) return 'unknown-cursor'
  const query = yield* withRelation(statements, given)
  if (query === 'too-many-related') return query
  const { offset, limit, withTotal, after, related } = query
  const relatedKey = related && relatedCacheKey(statements, related)
  const cacheKey = JSON.stringify([tables.rows, headOf(statements), query.conditions, relatedKey, query.words])
  const scan = createScan(statements, tables, query)
  let known = cache.get(cacheKey)
  if (!known) {
    const few = yield* fewMatches(statements, tables, query)
    known = few ? { newest: few, total: few.length } : { newest: new BigInt64Array() }
  }
  if (withTotal && known.total === undefined) known = yield* scan.newestAndTotal()
  cache.set(cacheKey, known)
  const { newest, total } = known
  const onPage = newest.filter((key) => key <= highest).slice(offset, offset + limit)
  const left = total === undefined || after !== undefined ? limit : total - offset
  const isKnown = newest.length === total || onPage.length === limit
  const keys = isKnown ? [...onPage] : yield* scan.page(highest, offset, Math.min(limit, left))
  return { rows: rowsOf(statements, tables, keys), total: withTotal ? (total ?? 0) : 0 }
}

/** Finds matches at a cost per row of the view, no matter how many match. */
function createScan(statements: Statements, tables: ViewTables, query: TableQuery) {
  const { conditions, words, related } = query
  const { where, values } = toSql(conditions, words)
  const matches = `FROM ${tables.texts} AS t ${indexHint(tables, query)} WHERE ${where} AND t.key BETWEEN ? AND ?`
  const select = `SELECT t.key ${matches} ORDER BY t.key DESC LIMIT ? OFFSET ?`
  const keysIn = ({ lower, upper }: KeyRange, wanted: number, skip = 0): bigint[] =>
    statements
      .asBigIntArrays<[key: bigint]>(select)
      .all(...values, lower, upper, wanted, skip)
      .map(([key]) => key)
  const countIn = ({ lower, upper }: KeyRange): number =>
    Number(statements.of(`SELECT count(*) AS n ${matches}`).get(...values, lower, upper)?.n)

  /** Up to `wanted` keys, none above `highest`, after the first `skip`. */
  function* page(highest: bigint, skip: number, wanted: number): Generator<undefined, bigint[]> {
    const found: bigint[] = []
    let left = skip
    for (const { lower, upper } of slicesOf(statements, tables)) {
      if (found.length >= wanted) break
      if (lower > highest) continue
      const slice = { lower, upper: upper < highest ? upper : highest }
      const count = left > 0 ? countIn(slice) : Number.POSITIVE_INFINITY
      if (count > left) found.push(...keysIn(slice, wanted - found.length, left))
      left = Math.max(0, left - count)
      yield
    }
    return found
  }

  /** Reads the keys of the newest matches, and counts the rest; no row is read twice. */
  function* newestAndTotal(): Generator<undefined, Required<KnownMatches>> {
    if (related && conditions.length === 1 && words.length === 0) {
      const total = yield* countRelated(statements, tables, related)
      return { newest: BigInt64Array.from(yield* page(HIGHEST_KEY, 0, MAX_NEWEST)), total }
    }
    const newest: bigint[] = []
    let total = 0
    for (const { lower, upper } of slicesOf(statements, tables)) {
      const wanted = MAX_NEWEST - newest.length
      const found = wanted > 0 ? keysIn({ lower, upper }, wanted) : []
      const rest = { lower, upper: (found.at(-1) ?? upper + 1n) - 1n }
      total += found.length + (found.length === wanted ? countIn(rest) : 0)
      newest.push(...found)
      yield
    }
    return { newest: BigInt64Array.from(newest), total }
  }

  return { page, newestAndTotal }
}

/** The index of the only condition, if it has exactly the rows that are wanted, in key order. */
function indexHint(tables: ViewTables, { conditions: [only, ...others], words }: TableQuery): string {
  const isExact = only?.test === '= ?' && others.length === 0 && words.length === 0
  return isExact ? `INDEXED BY ${indexOf(tables, only.column)}` : 'NOT INDEXED'
}
