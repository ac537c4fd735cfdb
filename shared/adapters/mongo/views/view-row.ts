import type { Collection, Db } from 'mongodb'
import type { AnyViewDefinition, RangeValue, ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { foldForSearch } from '../../../search-folding.ts'

/** What is kept of one aggregate. */
export interface VersionedDocument {
  readonly _id: string
  /** The view's schema that it was made by, and the stream's version in it: together they say which is newer. */
  readonly schema: number
  readonly version: number
}

/** One aggregate's row as it stands in a view's collection. */
export interface RowDocument extends VersionedDocument {
  readonly at: number
  readonly createdAt: number
  /** The id in the form that lists are ordered by. */
  readonly order: number | string
  readonly filters: Readonly<Record<string, string>>
  readonly ranges: Readonly<Record<string, RangeValue>>
  /** Folded for search. */
  readonly texts: readonly string[]
  readonly state: object
}

/** A view's rows; read from the primary as they are there. */
export function rowsOf(db: Db, definition: AnyViewDefinition): Collection<RowDocument> {
  return db.collection<RowDocument>(definition.name)
}

/**
 * How many rows there are, those that a majority doesn't have yet included. Counted by the index of ids: without one the
 * rows are gone through, and the collection's own count can be wrong.
 */
export function countRows(db: Db, definition: AnyViewDefinition): Promise<number> {
  return rowsOf(db, definition).countDocuments({}, { hint: '_id_' })
}

/** Makes a view's indexes where they are missing: one for lists, one for each filter and range in the order of lists. */
export async function createRowIndexes(db: Db, definition: AnyViewDefinition): Promise<void> {
  const rows = rowsOf(db, definition)
  await rows.createIndex({ createdAt: -1, order: -1 }, { name: 'newest_first' })
  for (const name of Object.keys(definition.filters)) {
    await rows.createIndex({ [`filters.${name}`]: 1, createdAt: -1, order: -1 }, { name: `by_${name}` })
  }
  for (const name of Object.keys(definition.ranges ?? {})) {
    await rows.createIndex({ [`ranges.${name}`]: 1, createdAt: -1, order: -1 }, { name: `by_range_${name}` })
  }
}

/** An id in the form that lists are ordered by. */
export function orderOf({ idOrder }: AnyViewDefinition, id: string): number | string {
  return idOrder === 'numeric' ? Number(id) : id
}

/** A row as it is stored, with everything that lists, filters and search go by. */
export function toRowDocument(definition: AnyViewDefinition, row: ViewRow): RowDocument {
  const { id, state, version, at } = row
  const filters = Object.entries(definition.filters).map(([name, toValue]) => [name, toValue(state)])
  const ranges = Object.entries(definition.ranges ?? {}).map(([name, toValue]) => [name, toValue(state)])
  return {
    _id: id,
    schema: definition.schema,
    version,
    at,
    createdAt: definition.createdAt(state),
    order: orderOf(definition, id),
    filters: Object.fromEntries(filters),
    ranges: Object.fromEntries(ranges),
    texts: definition.searchTexts.map((textOf) => foldForSearch(textOf(state))),
    state: state as object,
  }
}

/** The row of a document that the definition's own schema has made. */
export function toViewRow<State>(definition: ViewDefinition<State>, document: RowDocument): ViewRow<State> {
  const { _id, version, at, state } = document
  return { view: definition.name, id: _id, state: state as State, version, at }
}
