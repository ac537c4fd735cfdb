import type { Collection, Db, Filter } from 'mongodb'
import { BEGINNING } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition, ListQuery, View, ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { orUnavailable, outOfPatience } from '../availability.ts'
import type { CommitDocument } from '../log/commit-document.ts'
import { countCreations, readOutlines } from '../log/log-outline.ts'
import type { LogReader } from '../log/log-reader.ts'
import type { PrimaryBarrier } from '../primary-barrier.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { createRowReader } from './row-reader.ts'
import type { Snapshots } from './snapshots.ts'
import type { StreamProjection } from './stream-projection.ts'
import { NOTHING_YET, type ViewCheckpoints } from './view-checkpoints.ts'
import { DEEP_OFFSET, readPage, rowsAfter, toFilter } from './view-query.ts'
import { rebuildView } from './view-rebuild.ts'
import { type RowDocument, rowsOf, toViewRow } from './view-row.ts'

/** So many rows are quickly looked through one by one. */
const FEW_FOUND = 500

export interface ViewParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly reader: LogReader
  readonly projection: StreamProjection
  readonly checkpoints: ViewCheckpoints
  readonly barrier: PrimaryBarrier
  readonly snapshots: Snapshots
  readonly search: SearchIndex
}

/** One view of a database; each call is answered within PATIENCE, whatever the engine does. */
export function createView<State>(parts: ViewParts, definition: ViewDefinition<State>): View<State> {
  const { db, log, projection, checkpoints, barrier, snapshots } = parts
  const rows = rowsOf(db, definition)
  const readRow = createRowReader(rows, barrier)

  /** A row that a process of another schema wrote is folded anew from its stream. */
  async function ofThisSchema(document: RowDocument): Promise<ViewRow<State> | undefined> {
    if (document.schema === definition.schema) return toViewRow(definition, document)
    return await projection.fold(definition, document._id)
  }

  /** The count kept with the checkpoint and the creations after it: exact whatever happened to the collection. */
  async function countAll(): Promise<number> {
    const { position, count } = (await checkpoints.read(definition)) ?? NOTHING_YET
    return count + countCreations(await readOutlines(log, position), definition.category)
  }

  const count = (filter: Filter<RowDocument> | undefined) =>
    filter === undefined ? countAll() : rows.countDocuments(filter)

  async function readList(query: ListQuery) {
    const { search, limit, offset, after, withoutTotal } = query
    const isSearchAlone = after === undefined && toFilter({ ...query, search: '' }) === undefined
    // A filter leaves so few rows that looking through them is quicker, and after a row only a page is looked for.
    if (isSearchAlone && (search !== '' || offset >= DEEP_OFFSET)) {
      const found = await parts.search.find(definition, { search, limit, offset })
      if (found !== undefined) return withoutTotal ? { ...found, total: 0 } : found
    }
    const matching = (await fewFound(parts.search, definition, query)) ?? toFilter(query)
    const filter = after === undefined ? matching : { $and: [matching ?? {}, await rowsAfter(rows, after)] }
    const total = withoutTotal ? undefined : () => count(matching)
    const isBehindRow = after !== undefined
    return await readPage(rows, { filter: filter ?? {}, limit, offset, isBehindRow, total })
  }

  return {
    definition,
    async get(id) {
      const until = outOfPatience()
      const document = await orUnavailable(readRow(id), until)
      return document && (await orUnavailable(ofThisSchema(document), until))
    },
    snapshot: (id, upTo) => orUnavailable(barrier.read(() => snapshots.find(definition, id, upTo))),
    async list(query) {
      // No stored text has a NUL, and a pattern can't have one.
      if (query.search.includes('\0')) return { rows: [], total: 0 }
      const until = outOfPatience()
      const { documents, total } = await orUnavailable(
        barrier.read(() => readList(query)),
        until,
      )
      const page = await orUnavailable(Promise.all(documents.map(ofThisSchema)), until)
      return { rows: page.filter((row) => row !== undefined), total }
    },
    async checkpoint() {
      return (await orUnavailable(checkpoints.read(definition)))?.position ?? BEGINNING
    },
    async rebuild(onProgress) {
      await rebuildView(parts, definition, onProgress)
      await snapshots.rebuild(definition)
      await parts.search.rebuild(definition)
    },
  }
}

/** What a search that finds few rows leaves to be looked through, where no filter is sure to leave fewer. */
async function fewFound(
  index: SearchIndex,
  definition: AnyViewDefinition,
  query: ListQuery,
): Promise<Filter<RowDocument> | undefined> {
  const { where, search, withoutTotal } = query
  const isFiltered = Object.values(where).some((value) => value !== undefined)
  if (search === '' || isFiltered || withoutTotal) return undefined
  const found = await index.find(definition, { search, limit: FEW_FOUND, offset: 0 })
  if (found === undefined || found.total > FEW_FOUND) return undefined
  return { $and: [{ _id: { $in: found.documents.map(({ _id }) => _id) } }, toFilter(query) ?? {}] }
}
