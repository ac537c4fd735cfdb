import type { Collection, Db } from 'mongodb'
import type { AnyViewDefinition } from '../../event-sourcing/view.ts'
import { writeRows } from './row-writes.ts'
import { gramsOf } from './search-grams.ts'
import type { RowDocument } from './view-row.ts'

/** What of a row is needed to find it and to put it in its place. */
export interface SearchDocument extends Omit<RowDocument, 'at' | 'filters' | 'state'> {
  readonly grams: readonly string[]
}

export const GRAM_INDEX = 'grams'

/** One collection for each schema: processes of an older version go on with theirs. */
export function searchOf(db: Db, { name, schema }: AnyViewDefinition): Collection<SearchDocument> {
  return db.collection<SearchDocument>(`${name}_search_${schema}`)
}

/** The name of the leased checkpoint up to which the log's changes are in the search collection. */
export function searchCheckpoint({ name, schema }: AnyViewDefinition): string {
  return `search ${name}@${schema}`
}

export async function createSearchIndexes(db: Db, definition: AnyViewDefinition): Promise<void> {
  await searchOf(db, definition).createIndex({ grams: 1 }, { name: GRAM_INDEX })
}

/** Enters rows, each unless a newer one was entered. */
export async function enterRows(db: Db, definition: AnyViewDefinition, rows: readonly RowDocument[]): Promise<void> {
  await writeRows(db, searchOf(db, definition).collectionName, rows.map(toSearchDocument), 'majority')
}

function toSearchDocument({ _id, schema, version, createdAt, order, texts }: RowDocument): SearchDocument {
  const grams = [...new Set(texts.flatMap(gramsOf))]
  return { _id, schema, version, createdAt, order, texts, grams }
}
