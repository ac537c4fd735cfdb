import { LRUCache } from 'lru-cache'
import { MAX_RELATED } from '../../../event-sourcing/ports/view.ts'
import type { Statements } from '../file/statements.ts'
import { headOf } from '../log/log-reads.ts'
import type { ViewTables } from '../views/view-tables.ts'
import { FEW_ROWS } from './list-plan.reader.ts'
import { fewPassing, highestOfPage, type ListAnswer, rowsOf } from './list-query.ts'
import { countRelated, findRelated, nameOfRelated, type RelatedQuery, withRelation } from './related-rows.reader.ts'
import { type AnsweredQuestions, type KeyPage, pageInSlices } from './sliced-list.reader.ts'

/** A page, or, without keys, how many rows are related; valid while the log's head is the same. */
type RelatedAnswer = KeyPage & { readonly head: number }

/** What was found for recent queries. */
export type RelatedAnswers = LRUCache<string, RelatedAnswer>

/** Creates an empty cache. */
export const createRelatedAnswers = (): RelatedAnswers => new LRUCache({ max: 1_000 })

/** Up to this many related rows are read at once, with their texts in 20 ms. */
const FEW_RELATED = 10_000

interface RelatedList {
  readonly statements: Statements
  readonly tables: ViewTables
  readonly query: RelatedQuery
  /** The highest key that the page may contain. */
  readonly highest: bigint
  readonly answered: AnsweredQuestions
  readonly answers: RelatedAnswers
  readonly head: number
  /** Names the search in the related view. */
  readonly search: readonly unknown[]
}

/**
 * Answers a list of rows related to rows of another view that a search finds: finds the ids of those, then lists the rows
 * that have these ids. Like slicedList it yields every few milliseconds, and relies on one read transaction throughout.
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
  const search = [tables.rows, ...nameOfRelated(statements, related)]
  const name = JSON.stringify([search, conditions, words, limit, offset, after, withTotal])
  const list = { statements, tables, query, highest, ...caches, head: headOf(statements), search }
  const page = recall(list, name) ?? (yield* findPage(list))
  if (page === 'too-many-related') return page
  remember(list, name, page)
  return { rows: rowsOf(statements, tables, page.keys), total: page.total }
}

function* findPage(list: RelatedList): Generator<undefined, KeyPage | 'too-many-related'> {
  const { statements, tables, query } = list
  if ((yield* findRelated(statements, query.related)) > MAX_RELATED) return 'too-many-related'
  const areOthersFew = fewPassing(statements, tables, query.conditions, FEW_ROWS) !== undefined
  const related = areOthersFew ? Infinity : yield* countOnce(list)
  const listed = withRelation(query, related <= FEW_RELATED)
  const isCounted = related > FEW_RELATED && isCount(query)
  if (isCounted && query.offset >= related) return { keys: [], total: related }
  const page = yield* pageInSlices(statements, tables, isCounted ? { ...listed, withTotal: false } : listed, list)
  return isCounted ? { ...page, total: related } : page
}

/** Whether the query has no other condition, so that its total is how many rows are related. */
const isCount = ({ conditions, words, withTotal }: RelatedQuery): boolean =>
  withTotal && conditions.length === 0 && words.length === 0

/** How many rows are related; counts on above FEW_RELATED only if that is the total. */
function* countOnce(list: RelatedList): Generator<undefined, number> {
  const { statements, tables, query, search } = list
  const enough = isCount(query) ? Infinity : FEW_RELATED
  const name = JSON.stringify([search, enough])
  const known = recall(list, name)
  if (known) return known.total
  const total = yield* countRelated(statements, tables, query.related, enough)
  remember(list, name, { keys: [], total })
  return total
}

function recall({ answers, head }: RelatedList, name: string): KeyPage | undefined {
  const found = answers.get(name)
  return found?.head === head ? found : undefined
}

function remember({ answers, head }: RelatedList, name: string, { keys, total }: KeyPage): void {
  answers.set(name, { head, keys, total })
}
