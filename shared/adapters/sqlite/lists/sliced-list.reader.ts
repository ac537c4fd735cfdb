import { LRUCache } from 'lru-cache'
import type { Statements } from '../file/statements.ts'
import { headOf } from '../log/log-reads.ts'
import type { ViewTables } from '../views/view-tables.ts'
import { type ListPlan, planList } from './list-plan.reader.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery } from './list-query.ts'
import { countIn, keysByIndex, keysIn, type Matches } from './matches.reader.ts'
import { countRelated, relatedCacheKey, withRelation } from './related-rows.reader.ts'
import { type Slice, slicesOf, WHOLE_VIEW } from './slices.ts'

/** How many of the keys that a scan finds in a slice are cached. */
const KEYS_PER_SLICE = 256

/** The matches of a slice. */
interface SliceMatches {
  readonly found: number
  /** The highest keys found, highest first; often all of them. */
  readonly keys: BigInt64Array
}

/** What is known of a query's result; valid while the log's head is the same. */
interface CachedList {
  readonly head: number
  /** By the lowest key of each slice. */
  readonly slices: Map<bigint, SliceMatches>
  /** The total, if it wasn't counted by slices. */
  total?: number
}

/** The results of recent queries. */
export type ListCache = LRUCache<string, CachedList>

/** This many keys take 8 MB. */
const MAX_KEYS = 1_000_000
/** The size of a slice without keys, in keys. */
const SLICE_WEIGHT = 40

/** Creates an empty cache. */
export const createListCache = (): ListCache => new LRUCache({ maxSize: MAX_KEYS })

/**
 * Lists rows by reading the view in slices, newest first. Yields every few milliseconds, so that other lists get a
 * turn. While nothing is written, nothing is counted twice for the same query; only the search in a related view is
 * repeated for each page. The caller keeps one read transaction open throughout, so that page and total are from the
 * same moment.
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
  const head = headOf(statements)
  const { conditions, related, words, withTotal } = query
  const relatedKey = related && relatedCacheKey(statements, related)
  const cacheKey = JSON.stringify([tables.rows, conditions, relatedKey, words, withTotal])
  const cached = cache.get(cacheKey)
  const known: CachedList = cached?.head === head ? cached : { head, slices: new Map() }
  const plan = planList(statements, tables, query)
  const isOnlyRelated = related && withTotal && conditions.length === 1 && words.length === 0
  if (isOnlyRelated && !plan.isFew) known.total ??= yield* countRelated(statements, tables, related)
  const { keys, total } = yield* pageInSlices(statements, tables, query, { highest, plan, known })
  const size = [...known.slices.values()].reduce((sum, { keys }) => sum + keys.length + SLICE_WEIGHT, SLICE_WEIGHT)
  // A new object: for the same one, the cache would not update the size.
  cache.set(cacheKey, { ...known }, { size })
  return { rows: rowsOf(statements, tables, keys), total: withTotal ? total : 0 }
}

interface Search {
  /** The highest key that the page may contain. */
  readonly highest: bigint
  readonly plan: ListPlan
  readonly known: CachedList
}

/** The keys on a query's page, and the total, if the query asks for it. */
function* pageInSlices(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
  { highest, plan, known }: Search,
): Generator<undefined, { readonly keys: readonly bigint[]; readonly total: number }> {
  const { limit, words } = query
  const countsAll = query.withTotal && known.total === undefined
  let { indexed } = plan
  const keys: bigint[] = []
  let total = 0
  const slices = plan.isFew ? [WHOLE_VIEW] : slicesOf(statements, tables)
  for (const slice of countsAll || words.length > 0 ? slices : slices.flatMap(scansAsSlices)) {
    // Without a count, rows before and after the page don't matter.
    if (!countsAll && (keys.length >= limit || query.offset >= (known.total ?? Infinity))) break
    if (!countsAll && slice.lower > highest) continue
    let matches = known.slices.get(slice.lower)
    if (!matches) {
      const word = indexed()
      const found = word && keysByIndex(statements, tables, query, { word, ...slice })
      // If this slice has too many matches for the index, the others probably do, too.
      indexed = () => found && word
      matches = found
        ? { found: found.length, keys: BigInt64Array.from(found) }
        : yield* scanSlice(statements, plan.scan, slice)
      known.slices.set(slice.lower, matches)
      yield
    }
    if (keys.length < limit && slice.lower <= highest) {
      const [offset, missing] = [Math.max(0, query.offset - total), limit - keys.length]
      const ofSlice = { lower: slice.lower, upper: slice.upper < highest ? slice.upper : highest }
      keys.push(...keysOnPage(statements, plan.scan, matches, ofSlice, { offset, limit: missing }))
    }
    total += matches.found
  }
  return { keys, total: known.total ?? total }
}

/** Each scan of a slice as a slice: without a count, the first scans usually fill the page. */
const scansAsSlices = ({ scans }: Slice): Slice[] => scans.map((scan) => ({ ...scan, scans: [scan] }))

/** Counts the matches of a slice, a few milliseconds at a time; no row is read twice. */
function* scanSlice(statements: Statements, scan: Matches, slice: Slice): Generator<undefined, SliceMatches> {
  const keys: bigint[] = []
  let found = 0
  for (const range of slice.scans) {
    yield
    const limit = KEYS_PER_SLICE - keys.length
    const newest = limit > 0 ? keysIn(statements, scan, range, { limit }) : []
    keys.push(...newest)
    found += newest.length
    if (newest.length < limit) continue
    const upper = (newest.at(-1) ?? range.upper + 1n) - 1n
    found += countIn(statements, scan, { lower: range.lower, upper })
  }
  return { found, keys: BigInt64Array.from(keys) }
}

/** The keys of a slice's matches within a range, after the first `offset`. */
function keysOnPage(
  statements: Statements,
  scan: Matches,
  { found, keys }: SliceMatches,
  range: { readonly lower: bigint; readonly upper: bigint },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly bigint[] {
  if (offset >= found) return []
  const cached = keys.filter((key) => key <= range.upper)
  if (keys.length === found || cached.length >= offset + limit) return [...cached.slice(offset, offset + limit)]
  return keysIn(statements, scan, range, { limit, offset })
}
