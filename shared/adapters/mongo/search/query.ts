import type { Collection, Db } from 'mongodb'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { foldForSearch } from '../../../search-folding.ts'
import type { CommitDocument } from '../log/commit-document.ts'
import { readOutlines } from '../log/log-outline.ts'
import { literally } from '../views/view-query.ts'
import { orderOf, type RowDocument, rowsOf } from '../views/view-row.ts'
import { type SegmentCollections, segmentsOf } from './documents.ts'
import { type Entry, findEntries, isOutdated, readEntries } from './entries.ts'
import { type GramTerm, toGramTerm } from './grams.ts'
import type { Manifests, Segment } from './manifest.ts'
import { allRows, findMatches, type Matches } from './matches.ts'
import { pageOf } from './page.ts'
import type { Place } from './place.ts'

export interface SearchParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly manifests: Manifests
}

export interface SearchPage {
  /** '' finds all rows. */
  readonly search: string
  readonly limit: number
  readonly offset: number
}

/**
 * One page of the rows that have the text, newest first, with the total, by way of the search index and together with
 * what is not in it yet. Answers undefined when there is no index: the rows themselves are to be looked through.
 */
export async function searchIndexed(
  { db, log, manifests }: SearchParts,
  definition: AnyViewDefinition,
  { search, limit, offset }: SearchPage,
): Promise<{ documents: RowDocument[]; total: number } | undefined> {
  const manifest = await manifests.read(definition)
  if (manifest === undefined) return undefined
  const news = await readOutlines(log, manifest.position)
  const fresh = [...new Set(news.filter(({ category }) => category === definition.category).map(({ id }) => id))]
  const rows = rowsOf(db, definition)
  const collections = segmentsOf(db, definition)
  const term = foldForSearch(search)

  const [loose, moved, found] = await Promise.all([
    looseMatches(rows, fresh, term),
    findEntries(collections, fresh),
    Promise.all(manifest.segments.map((segment) => matchesOf(collections, segment, term))),
  ])
  const matches = manifest.segments.map((segment, index) => {
    return { segment, rows: current(segment, found[index] ?? new Uint32Array(), moved.get(segment.id) ?? []) }
  })
  const load = async (segment: Segment, some: Matches): Promise<Place[]> => {
    const entries = await readEntries(collections, segment, some)
    return entries.map(({ id, createdAt }) => ({ _id: id, createdAt, order: orderOf(definition, id) }))
  }
  const ids = await pageOf({ matches, loose, offset, limit, load })
  const total = matches.reduce((sum, one) => sum + one.rows.length, loose.length)
  return { documents: await inOrder(rows, ids), total }
}

/** Those that are not entered as they are now, looked through one by one. */
async function looseMatches(rows: Collection<RowDocument>, ids: readonly string[], term: string): Promise<Place[]> {
  if (ids.length === 0) return []
  const hasTerm = term === '' ? {} : { texts: { $regex: literally(term) } }
  return await rows
    .find({ _id: { $in: [...ids] }, ...hasTerm }, { batchSize: 10_000 })
    .project<Place>({ createdAt: 1, order: 1 })
    .toArray()
}

async function matchesOf(collections: SegmentCollections, segment: Segment, term: string): Promise<Matches> {
  const how: GramTerm | undefined = term === '' ? undefined : toGramTerm(term)
  return how === undefined ? allRows(segment) : await findMatches(collections, segment, how)
}

/** Without the rows that have moved to a later segment, or have changed since. */
function current(segment: Segment, rows: Matches, moved: readonly Entry[]): Matches {
  if (segment.outdated === undefined && moved.length === 0) return rows
  const isGone = isOutdated(segment)
  const movedRows = new Set(moved.map(({ row }) => row))
  return rows.filter((row) => !isGone(row) && !movedRows.has(row))
}

async function inOrder(rows: Collection<RowDocument>, ids: readonly string[]): Promise<RowDocument[]> {
  const documents = await rows.find({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1 }).toArray()
  const byId = new Map(documents.map((document) => [document._id, document]))
  return ids.map((id) => byId.get(id)).filter((document) => document !== undefined)
}
