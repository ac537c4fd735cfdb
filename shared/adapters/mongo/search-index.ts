import type { Collection, Db } from 'mongodb'
import type { AnyViewDefinition } from '../../event-sourcing/view.ts'
import { runRowCommand } from './row-writes.ts'
import { gramsOf } from './search-grams.ts'
import { notNewerThan, type RowDocument } from './view-row.ts'

/** What of a row is needed to find it and to put it in its place. */
export interface SearchDocument
  extends Pick<RowDocument, '_id' | 'schema' | 'version' | 'createdAt' | 'order' | 'texts'> {
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
  const updates = rows.map((row) => ({ q: notNewerThan(row), u: toSearchDocument(row), upsert: true }))
  if (updates.length === 0) return
  const writeConcern = { w: 'majority', j: true }
  await runRowCommand(db, {
    update: searchOf(db, definition).collectionName,
    updates,
    ordered: false,
    writeConcern,
  })
}

function toSearchDocument({ _id, schema, version, createdAt, order, texts }: RowDocument): SearchDocument {
  const grams = [...new Set(texts.flatMap(gramsOf))]
  return { _id, schema, version, createdAt, order, texts, grams }
}
