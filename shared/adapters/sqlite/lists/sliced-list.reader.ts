import { LRUCache } from 'lru-cache'
import type { Statements } from '../file/statements.ts'
import { headOf } from '../log/log-reads.ts'
import { indexOf, type ViewTables } from '../views/view-tables.ts'
import { fewMatches } from './few-matches.reader.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery, toSql } from './list-query.ts'
import { countRelated, relatedCacheKey, withRelation } from './related-rows.reader.ts'
import { type KeyRange, slicesOf } from './slices.ts'

/** How many matches of a slice are cached: the size of the largest page. */
const KEYS_PER_SLICE = 100

/** The matches in a slice: how many there are, and the keys of the newest, highest first; often all of them. */
interface SliceMatches {
  readonly count: number
  readonly keys: BigInt64Array
}

/** What is known of a query's matches; valid while the log's head is the same. */
interface KnownMatches {
  /** The keys of all of them, highest first, if they are few. */
  readonly few: BigInt64Array | undefined
  /** Otherwise those counted so far, by the lowest key of each slice. */
  readonly slices: Map<bigint, SliceMatches>
  total?: number
}

/** The results of recent queries. */
export type ListCache = LRUCache<string, KnownMatches>

/** This many keys take 6 MB. */
const MAX_KEYS = 800_000

/** Creates an empty cache. */
export const createListCache = (): ListCache =>
  new LRUCache({
    maxSize: MAX_KEYS,
    sizeCalculation: ({ few, slices }) => (few?.length ?? 0) + (1 + slices.size) * KEYS_PER_SLICE,
  })

/**
 * Lists rows: few through an index, others by scanning the view in slices, newest first. Yields every few milliseconds,
 * so that other lists get a turn. While nothing is written, nothing is counted twice for the same query. The caller
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
  const relatedKey = query.related && relatedCacheKey(statements, query.related)
  const cacheKey = JSON.stringify([tables.rows, headOf(statements), query.conditions, relatedKey, query.words])
  const known = cache.get(cacheKey) ?? { few: yield* fewMatches(statements, tables, query), slices: new Map() }
  const { keys, total } = yield* pageOf(statements, tables, query, { highest, known })
  // A new object: for the same one, the cache would not update the size.
  cache.set(cacheKey, { ...known })
  return { rows: rowsOf(statements, tables, keys), total: query.withTotal ? total : 0 }
}

/** The keys on a page, none above `highest`, and the total if the query asks for it. */
function* pageOf(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
  { highest, known }: { readonly highest: bigint; readonly known: KnownMatches },
): Generator<undefined, { readonly keys: readonly bigint[]; readonly total: number }> {
  const { limit, offset, withTotal } = query
  if (known.few) {
    const keys = known.few.filter((key) => key <= highest).slice(offset, offset + limit)
    return { keys: [...keys], total: known.few.length }
  }
  const scan = createScan(statements, tables, query, known)
  const isOnlyRelated = query.related && query.conditions.length === 1 && query.words.length === 0
  if (withTotal && isOnlyRelated) known.total ??= yield* countRelated(statements, tables, query.related)
  const keys = yield* scan.page(highest)
  if (withTotal) known.total ??= yield* scan.count()
  return { keys, total: known.total ?? 0 }
}

/** Finds every match, at a cost per row of the view, no matter how many match. */
function createScan(statements: Statements, tables: ViewTables, query: TableQuery, known: KnownMatches) {
  const { conditions, words, limit, offset } = query
  const slices = slicesOf(statements, tables)
  const { where, values } = toSql(conditions, words)
  const matches = `FROM ${tables.texts} AS t ${indexHint(tables, query)} WHERE ${where} AND t.key BETWEEN ? AND ?`

  /** The keys of the newest matches within a range, highest first. */
  function keysIn({ lower, upper }: KeyRange, most: number): bigint[] {
    const select = statements.asBigIntArrays<[key: bigint]>(`SELECT t.key ${matches} ORDER BY t.key DESC LIMIT ?`)
    return select.all(...values, lower, upper, most).map(([key]) => key)
  }

  function countIn({ lower, upper }: KeyRange): number {
    return Number(statements.of(`SELECT count(*) AS n ${matches}`).get(...values, lower, upper)?.n)
  }

  /** Reads up to `most` keys, and counts the rest; no row is read twice. */
  function* matchesOf(slice: KeyRange, most: number): Generator<undefined, SliceMatches> {
    const cached = known.slices.get(slice.lower)
    if (cached) return cached
    const keys = most > 0 ? keysIn(slice, most) : []
    const upper = (keys.at(-1) ?? slice.upper + 1n) - 1n
    const rest = keys.length < most ? 0 : countIn({ ...slice, upper })
    const found = { count: keys.length + rest, keys: BigInt64Array.from(keys) }
    known.slices.set(slice.lower, found)
    yield
    return found
  }

  return {
    *count(): Generator<undefined, number> {
      let total = 0
      for (const slice of slices) total += (yield* matchesOf(slice, 0)).count
      return total
    },
    *page(highest: bigint): Generator<undefined, bigint[]> {
      const page: bigint[] = []
      if (offset >= (known.total ?? Infinity)) return page
      let skipped = offset
      for (const slice of slices) {
        if (page.length >= limit) break
        if (slice.lower > highest) continue
        const { count, keys } = yield* matchesOf(slice, KEYS_PER_SLICE)
        if (count <= skipped) {
          skipped -= count
          continue
        }
        const wanted = skipped + limit - page.length
        const cached = keys.filter((key) => key <= highest)
        const isKnown = keys.length === count || cached.length >= wanted
        const upper = slice.upper < highest ? slice.upper : highest
        page.push(...(isKnown ? cached : keysIn({ ...slice, upper }, wanted)).slice(skipped, wanted))
        skipped = 0
      }
      return page
    },
  }
}

/** The index of the only condition, if it has exactly the rows that are wanted, in key order. */
function indexHint(tables: ViewTables, { conditions: [only, ...others], words }: TableQuery): string {
  const isExact = only?.test === '= ?' && others.length === 0 && words.length === 0
  return isExact ? `INDEXED BY ${indexOf(tables, only.column)}` : 'NOT INDEXED'
}
