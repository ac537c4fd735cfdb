import type { Collection, Db, Filter } from 'mongodb'
import type { LeasedCheckpoints } from '../../event-sourcing/leased-checkpoints.ts'
import type { AnyViewDefinition } from '../../event-sourcing/view.ts'
import { foldForSearch } from '../../search-folding.ts'
import type { CommitDocument } from './commit-document.ts'
import { readOutlines } from './log-outline.ts'
import { toGramTerm } from './search-grams.ts'
import { GRAM_INDEX, type SearchDocument, searchCheckpoint, searchOf } from './search-index.ts'
import { literally, NEWEST_FIRST } from './view-query.ts'
import { type RowDocument, rowsOf } from './view-row.ts'

/** With more commits than this not entered yet, all rows are looked through instead. */
const MOST_NEWS = 2_000
/** Up to so many candidates, they are all put in order; above, rows are gone through newest first. */
const FEW = 20_000
/** How many grams of a long term are compared for the rarest. */
const COMPARED = 6

export interface SearchParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly leases: LeasedCheckpoints
}

interface SearchPage {
  readonly search: string
  readonly limit: number
  readonly offset: number
  /** How many rows the view has. */
  countAll(): Promise<number>
}

/**
 * One page of the rows that have the text, newest first, with the total, by way of the search collection and together
 * with what is not in it yet. Answers undefined when that is too much: the rows themselves are to be looked through.
 */
export async function searchByGrams({ db, log, leases }: SearchParts, definition: AnyViewDefinition, page: SearchPage) {
  const rows = rowsOf(db, definition)
  const collection = searchOf(db, definition)
  const news = await readOutlines(log, await leases.read(searchCheckpoint(definition)), MOST_NEWS + 1)
  if (news.length > MOST_NEWS) return undefined
  const fresh = [...new Set(news.filter(({ category }) => category === definition.category).map(({ id }) => id))]
  const term = foldForSearch(page.search)
  const inTexts = { texts: { $regex: literally(term) } }

  const { condition, isFew } = await narrow(collection, term, inTexts)
  const filter: Filter<SearchDocument> = { $and: [condition, { _id: { $nin: fresh } }] }
  const count = async (): Promise<number> => {
    const [entered, notYet] = await Promise.all([
      collection.countDocuments(filter, { hint: GRAM_INDEX }),
      rows.countDocuments({ _id: { $in: fresh }, ...inTexts }),
    ])
    return entered + notYet
  }
  const bySorting = () => sortedPage({ rows, collection, filter, fresh, inTexts, ...page })
  const byOrder = () => rows.find(inTexts).sort(NEWEST_FIRST).skip(page.offset).limit(page.limit).toArray()

  if (isFew) {
    const [total, documents] = await Promise.all([count(), bySorting()])
    return { total, documents }
  }
  const [total, all] = await Promise.all([count(), page.countAll()])
  if (page.offset >= total) return { total, documents: [] }
  const goneThrough = ((page.offset + page.limit) * all) / total
  return { total, documents: await (goneThrough < total ? byOrder() : bySorting()) }
}

/** The cheapest condition by the index of grams that finds exactly the term. */
async function narrow(collection: Collection<SearchDocument>, term: string, inTexts: Filter<SearchDocument>) {
  const how = toGramTerm(term)
  if (how.type === 'prefix') {
    return { condition: { grams: { $elemMatch: { $gte: how.from, $lt: how.to } } }, isFew: false }
  }
  const grams = how.type === 'gram' ? [how.gram] : evenly(how.grams, COMPARED)
  const counts = await Promise.all(grams.map((gram) => collection.countDocuments({ grams: gram }, { limit: FEW })))
  const fewest = Math.min(...counts)
  const hasGram: Filter<SearchDocument> = { grams: grams[counts.indexOf(fewest)] ?? '' }
  return { condition: how.type === 'gram' ? hasGram : { $and: [hasGram, inTexts] }, isFew: fewest < FEW }
}

function evenly(grams: readonly string[], most: number): string[] {
  const step = Math.max(1, grams.length / most)
  return Array.from({ length: Math.min(most, grams.length) }, (_, index) => grams[Math.floor(index * step)] ?? '')
}

interface Sorting extends SearchPage {
  readonly rows: Collection<RowDocument>
  readonly collection: Collection<SearchDocument>
  readonly filter: Filter<SearchDocument>
  readonly fresh: readonly string[]
  readonly inTexts: Filter<RowDocument>
}

type Place = Pick<RowDocument, '_id' | 'createdAt' | 'order'>
const PLACE = { createdAt: 1, order: 1 } as const

async function sortedPage({
  rows,
  collection,
  filter,
  fresh,
  inTexts,
  limit,
  offset,
}: Sorting): Promise<RowDocument[]> {
  const [entered, notYet] = await Promise.all([
    collection
      .find(filter, { hint: GRAM_INDEX, allowDiskUse: true })
      .sort(NEWEST_FIRST)
      .limit(offset + limit)
      .project<Place>(PLACE)
      .toArray(),
    rows
      .find({ _id: { $in: [...fresh] }, ...inTexts })
      .project<Place>(PLACE)
      .toArray(),
  ])
  const ids = [...entered, ...notYet]
    .sort(newestFirst)
    .slice(offset, offset + limit)
    .map(({ _id }) => _id)
  const found = await rows.find({ _id: { $in: ids } }).toArray()
  const byId = new Map(found.map((row) => [row._id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** As the database orders them: numbers by value, texts by their UTF-8 bytes. */
function newestFirst(one: Place, other: Place): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt
  if (typeof one.order === 'number' && typeof other.order === 'number') return other.order - one.order
  return Buffer.compare(Buffer.from(String(other.order)), Buffer.from(String(one.order)))
}
