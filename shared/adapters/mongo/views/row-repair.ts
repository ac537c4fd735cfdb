import { isDeepStrictEqual } from 'node:util'
import type { Collection, Db } from 'mongodb'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/view.ts'
import { type CommitDocument, streamKey, streamOf } from '../log/commit-document.ts'
import { MAJORITY_COLLECTION } from '../majority.ts'
import { replaceRows, upsertRows, writeRows } from './row-writes.ts'
import type { StreamProjection } from './stream-projection.ts'
import { type RowDocument, rowsOf, toRowDocument } from './view-row.ts'

/** Rows looked at in one go when strays are searched for. */
const BATCH = 2_000

export interface RowRepairParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly projection: StreamProjection
}

/** Puts new rows into a view that had none: only what others write meanwhile can be in the way. */
export async function insertRows(db: Db, definition: AnyViewDefinition, rows: readonly ViewRow[]): Promise<void> {
  const documents = rows.map((row) => toRowDocument(definition, row))
  await writeRows(db, definition.name, documents, 'majority')
}

/** Makes the stored rows equal to these, as the log has them, except where somebody has appended since. */
export async function repairRows(
  parts: RowRepairParts,
  definition: AnyViewDefinition,
  rows: readonly ViewRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const documents = await storedRows(parts.db, definition)
    .find({ _id: { $in: ids } }, { batchSize: ids.length + 1 })
    .toArray()
  const stored = new Map(documents.map((document) => [document._id, document]))
  const older: RowDocument[] = []
  const wrong: RowDocument[] = []
  for (const row of rows) {
    const right = toRowDocument(definition, row)
    const found = stored.get(row.id)
    if (found === undefined || found.schema < right.schema) older.push(right)
    else if (found.schema > right.schema || isDeepStrictEqual(found, right)) continue
    else if (found.version < right.version) older.push(right)
    else if (found.version === right.version) wrong.push(right)
    else await settle(parts, definition, found)
  }
  if (older.length > 0) await upsertRows(parts.db, definition.name, older, 'majority')
  if (wrong.length > 0) await replaceRows(parts.db, definition.name, wrong)
}

/** Removes the rows of aggregates that the log does not know. */
export async function removeStrays(parts: RowRepairParts, definition: AnyViewDefinition): Promise<void> {
  const { db, log } = parts
  for (let after = ''; ; ) {
    const rows = await storedRows(db, definition)
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 })
      .project<Pick<RowDocument, '_id' | 'schema' | 'version'>>({ schema: 1, version: 1 })
      .toArray()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last._id
    const streams = rows.map(({ _id }) => streamKey({ category: definition.category, id: _id }))
    const known = await log
      .find({ stream: { $in: streams }, 'events.version': 1 }, { batchSize: BATCH + 1 })
      .project<Pick<CommitDocument, 'stream'>>({ _id: 0, stream: 1 })
      .toArray()
    const knownIds = new Set(known.map(({ stream }) => streamOf(stream).id))
    for (const row of rows) if (!knownIds.has(row._id)) await settle(parts, definition, row)
  }
}

/** Holds one row against its whole stream, and puts it right unless it has changed since it was seen. */
async function settle(
  { db, projection }: RowRepairParts,
  definition: AnyViewDefinition,
  { _id, schema, version }: Pick<RowDocument, '_id' | 'schema' | 'version'>,
): Promise<void> {
  const rows = storedRows(db, definition)
  const asSeen = { _id, schema, version }
  const right = await projection.foldFromStart(definition, _id)
  if (right === undefined) await rows.deleteOne(asSeen)
  else if (right.version <= version) await rows.replaceOne(asSeen, toRowDocument(definition, right))
}

function storedRows(db: Db, definition: AnyViewDefinition): Collection<RowDocument> {
  return db.collection(rowsOf(db, definition).collectionName, MAJORITY_COLLECTION)
}
