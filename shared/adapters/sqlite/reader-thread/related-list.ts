import { LRUCache } from 'lru-cache'
import { MOST_RELATED } from '../../../event-sourcing/ports/view.ts'
import { fewPassing, highestOfPage, type ListAnswer, rowsOf } from '../any-thread/list-query.ts'
import { headOf } from '../any-thread/log-reads.ts'
import { type KeyRange, slicesOf } from '../any-thread/slices.ts'
import type { Statements } from '../any-thread/statements.ts'
import type { ViewTables } from '../any-thread/view-tables.ts'
import { FEW_ROWS, planList } from './list-plan.ts'
import { countIn, keysIn } from './matches.ts'
import {
  collectRelated,
  countRelated,
  findRelated,
  nameOfRelated,
  type RelatedQuery,
  withRelation,
} from './related-rows.ts'
import { type AnsweredQuestions, type KeyPage, pageInSlices } from './sliced-list.ts'

/** A total with the keys of one page or of all matches, highest first; valid while the log's head is the same. */
interface RelatedAnswer {
  readonly head: number
  readonly total: number
  readonly keys: BigInt64Array
}

/** What was found for recent queries: pages, totals, and all matches where they are few. */
export type RelatedAnswers = LRUCache<string, RelatedAnswer>

/** This many keys take 8 MB. */
const MOST_KEYS = 1_000_000
/** The size of an answer without keys, in keys. */
const ANSWER_WEIGHT = 40

/** Creates an empty cache. */
export const createRelatedAnswers = (): RelatedAnswers => new LRUCache({ maxSize: MOST_KEYS })

/** Up to this many related rows are collected at once, with their texts in 20 ms. */
const MOST_COLLECTED = 10_000
/** Up to this many are checked for conditions one by one; beyond, a scan of all rows takes about as long. */
const MOST_CHECKED = 30_000
/** Up to this many related ids, counting their rows in a slice is faster than scanning it. */
const MOST_IDS_PER_SLICE = 5_000

/** Everything that the steps of one list need. */
interface RelatedList {
  readonly statements: Statements
  readonly tables: ViewTables
  readonly query: RelatedQuery
  /** The highest key that the page may contain. */
  readonly highest: bigint
  readonly answered: AnsweredQuestions
  readonly answers: RelatedAnswers
  readonly head: number
  /** Names the query regardless of the page. */
  readonly question: string
  /** Names the query with its page. */
  readonly pageName: string
}

/**
 * Answers a list of rows related to rows of another view that a search finds: first finds those, then their rows. Like
 * slicedList it yields every few milliseconds, and relies on one read transaction throughout.
 */
export function* relatedList(
  statements: Statements,
  tables: ViewTables,
  query: RelatedQuery,
  caches: { readonly answered: AnsweredQuestions; readonly answers: RelatedAnswers },
): Generator<undefined, ListAnswer> {
  const highest = highestOfPage(statements, tables, query)
  if (highest === undefined) return 'unknown-cursor'
  const { conditions, related, words, limit, offset, after, withTotal } = query
  const question = JSON.stringify([tables.rows, conditions, nameOfRelated(statements, related), words])
  const pageName = JSON.stringify([question, limit, offset, after, withTotal])
  const list = { statements, tables, query, highest, ...caches, head: headOf(statements), question, pageName }
  const page = knownPage(list) ?? (yield* newPage(list))
  if (page === 'too-many-related') return page
  const { keys, total } = page
  return { rows: rowsOf(statements, tables, keys), total: withTotal ? total : 0 }
}

function knownPage(list: RelatedList): KeyPage | undefined {
  const all = recall(list, list.question)
  if (all && all.keys.length === all.total) return pageOf(list, all.keys)
  const page = recall(list, list.pageName)
  return page && { keys: [...page.keys], total: page.total }
}

function* newPage(list: RelatedList): Generator<undefined, KeyPage | 'too-many-related'> {
  const { statements, tables, query } = list
  const ids = yield* findRelated(statements, query.related)
  if (ids > MOST_RELATED) return 'too-many-related'
  const isFew = fewPassing(statements, tables, query.conditions, FEW_ROWS) !== undefined
  const related = isFew ? 0 : yield* countOnce(list, { ...query, conditions: [] })
  if (!isFew && related <= MOST_COLLECTED) {
    const keys = yield* collectRelated(statements, tables, query)
    remember(list, list.question, { keys, total: keys.length })
    return pageOf(list, keys)
  }
  const isScanned = isFew || query.words.length > 0 || (query.conditions.length > 0 && related > MOST_CHECKED)
  const page = isScanned
    ? yield* pageInSlices(statements, tables, withRelation(query), list)
    : { total: query.withTotal ? yield* countOnce(list, query) : 0, keys: yield* walkToPage(list, ids) }
  remember(list, list.pageName, { keys: BigInt64Array.from(page.keys), total: page.total })
  return page
}

/** How many rows are related and meet the conditions; for a query without a total, whether they are many suffices. */
function* countOnce(list: RelatedList, query: RelatedQuery): Generator<undefined, number> {
  const { statements, tables } = list
  const { conditions, related, withTotal } = query
  const name = JSON.stringify(['count', tables.rows, conditions, nameOfRelated(statements, related)])
  const known = recall(list, name)
  if (known) return known.total
  const enough = withTotal ? Infinity : MOST_COLLECTED
  const total = yield* countRelated(statements, tables, query, { enough })
  if (total <= enough) remember(list, name, { keys: new BigInt64Array(), total })
  return total
}

/** The page out of the keys of all matches. */
function pageOf({ query: { limit, offset }, highest }: RelatedList, all: BigInt64Array): KeyPage {
  const first = all.findIndex((key) => key <= highest)
  const start = (first < 0 ? all.length : first) + offset
  return { keys: [...all.subarray(start, start + limit)], total: all.length }
}

/** The keys of the page, where so many rows match that it is soon filled: scans the rows, newest first. */
function* walkToPage({ statements, tables, query, highest }: RelatedList, ids: number): Generator<undefined, bigint[]> {
  const { scan } = planList(statements, tables, withRelation(query))
  const keys: bigint[] = []
  let toSkip = query.offset
  for (const slice of slicesOf(statements, tables)) {
    if (keys.length >= query.limit) break
    if (slice.lower > highest) continue
    if (ids <= MOST_IDS_PER_SLICE) {
      // With conditions some of these may not match, so only slices without any are skipped.
      const skippable = query.conditions.length > 0 ? 0 : toSkip
      const counting = { range: upTo(highest, slice), enough: skippable }
      const found = yield* countRelated(statements, tables, { ...query, conditions: [] }, counting)
      if (found <= skippable) {
        toSkip -= found
        continue
      }
    }
    for (const range of slice.scans) {
      if (range.lower > highest || keys.length >= query.limit) continue
      const scanned = upTo(highest, range)
      const found = toSkip > 0 ? countIn(statements, scan, scanned) : Infinity
      const page = { limit: query.limit - keys.length, offset: toSkip }
      if (found > toSkip) keys.push(...keysIn(statements, scan, scanned, page))
      toSkip = Math.max(0, toSkip - found)
      yield
    }
  }
  return keys
}

const upTo = (highest: bigint, { lower, upper }: KeyRange): KeyRange => ({
  lower,
  upper: upper < highest ? upper : highest,
})

function recall({ answers, head }: RelatedList, name: string): RelatedAnswer | undefined {
  const found = answers.get(name)
  return found?.head === head ? found : undefined
}

function remember({ answers, head }: RelatedList, name: string, { keys, total }: Omit<RelatedAnswer, 'head'>): void {
  answers.set(name, { head, keys, total }, { size: keys.length + ANSWER_WEIGHT })
}
