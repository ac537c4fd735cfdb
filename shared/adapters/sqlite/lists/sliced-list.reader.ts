import { LRUCache } from 'lru-cache'
import type { Statements } from '../file/statements.ts'
import { headOf } from '../log/log-reads.ts'
import type { ViewTables } from '../views/view-tables.ts'
import { type ListPlan, planList } from './list-plan.reader.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery } from './list-query.ts'
import { countIn, keysByIndex, keysIn, type Matches } from './matches.reader.ts'
import { countRelated, nameOfRelated, withRelation } from './related-rows.reader.ts'
import { type Slice, slicesOf, WHOLE_VIEW } from './slices.ts'

/** How many keys are cached of what a scan finds in a slice. */
const KEYS_PER_SLICE = 256

/** What was found in a slice. */
interface Counted {
  readonly found: number
  /** The highest keys found, highest first; often all of them. */
  readonly keys: BigInt64Array
}

/** The results for a query, valid while the log's head is the same. */
interface Answered {
  readonly head: number
  /** By the lowest key of each slice. */
  readonly slices: Map<bigint, Counted>
  /** The total, if it was counted otherwise than by slices. */
  total?: number
}

/** The results for recent queries. */
export type AnsweredQuestions = LRUCache<string, Answered>

/** This many keys take 8 MB. */
const MAX_KEYS = 1_000_000
/** The size of a slice without keys, in keys. */
const SLICE_WEIGHT = 40

/** Creates an empty cache. */
export const createAnsweredQuestions = (): AnsweredQuestions => new LRUCache({ maxSize: MAX_KEYS })

/**
 * Answers a list by going through the view in slices, newest first. Yields every few milliseconds, so that other lists
 * get a turn. While nothing is written, nothing is counted twice for the same query; only the search in a related view
 * is repeated for each page. The caller keeps one read transaction open throughout, so that page and total are from the
 * same moment.
 */
export function* slicedList(
  statements: Statements,
  tables: ViewTables,
  asked: TableQuery,
  answered: AnsweredQuestions,
): Generator<undefined, ListAnswer> {
  const highest = highestOfPage(statements, tables, asked)
  if (highest === undefined) return 'unknown-cursor'
  const query = yield* withRelation(statements, asked)
  if (query === 'too-many-related') return query
  const head = headOf(statements)
  const { conditions, related, words, withTotal } = query
  const relatedName = related && nameOfRelated(statements, related)
  const question = JSON.stringify([tables.rows, conditions, relatedName, words, withTotal])
  const before = answered.get(question)
  const known: Answered = before?.head === head ? before : { head, slices: new Map() }
  const plan = planList(statements, tables, query)
  const isOnlyRelated = related && withTotal && conditions.length === 1 && words.length === 0
  if (isOnlyRelated && !plan.isFew) known.total ??= yield* countRelated(statements, tables, related)
  const { keys, total } = yield* pageInSlices(statements, tables, query, { highest, plan, known })
  const size = [...known.slices.values()].reduce((sum, { keys }) => sum + keys.length + SLICE_WEIGHT, SLICE_WEIGHT)
  // A new object: for the same one the cache would keep the size that it had at first.
  answered.set(question, { ...known }, { size })
  return { rows: rowsOf(statements, tables, keys), total: withTotal ? total : 0 }
}

interface Search {
  /** The highest key that the page may contain. */
  readonly highest: bigint
  readonly plan: ListPlan
  readonly known: Answered
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
    let counted = known.slices.get(slice.lower)
    if (!counted) {
      const word = indexed()
      const found = word && keysByIndex(statements, tables, query, { word, ...slice })
      // If a slice has many matches, the others probably do, too.
      indexed = () => found && word
      counted = found
        ? { found: found.length, keys: BigInt64Array.from(found) }
        : yield* scanSlice(statements, plan.scan, slice)
      known.slices.set(slice.lower, counted)
      yield
    }
    if (keys.length < limit && slice.lower <= highest) {
      const [offset, missing] = [Math.max(0, query.offset - total), limit - keys.length]
      const ofSlice = { lower: slice.lower, upper: slice.upper < highest ? slice.upper : highest }
      keys.push(...keysOnPage(statements, plan.scan, counted, ofSlice, { offset, limit: missing }))
    }
    total += counted.found
  }
  return { keys, total: known.total ?? total }
}

/** Without a count, the first scan of many fills a page. */
const scansAsSlices = ({ scans }: Slice): Slice[] => scans.map((scan) => ({ ...scan, scans: [scan] }))

/** Counts the matches of a slice, a few milliseconds at a time; no row is read twice. */
function* scanSlice(statements: Statements, scan: Matches, slice: Slice): Generator<undefined, Counted> {
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
  { found, keys }: Counted,
  range: { readonly lower: bigint; readonly upper: bigint },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly bigint[] {
  if (offset >= found) return []
  const remembered = keys.filter((key) => key <= range.upper)
  if (keys.length === found || remembered.length >= offset + limit) {
    return [...remembered.slice(offset, offset + limit)]
  }
  return keysIn(statements, scan, range, { limit, offset })
}
