import type { Collection, Db } from 'mongodb'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { type CommitDocument, streamKey, streamOf } from '../log/commit-document.ts'
import { MAJORITY_COLLECTION } from '../majority.ts'
import { type RowTarget, replaceRows, upsertRows, writeRows } from './row-commands.ts'
import { compareRows } from './row-comparison.ts'
import type { StreamProjection } from './stream-projection.ts'
import { type RowDocument, rowsOf, toRowDocument, type VersionedDocument } from './view-row.ts'

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
  await writeRows(byMajority(db, definition), documents)
}

/** Makes the stored rows equal to these, as the log has them, except where somebody has appended since. */
export async function repairRows(
  parts: RowRepairParts,
  definition: AnyViewDefinition,
  rows: readonly ViewRow[],
): Promise<void> {
  const older: RowDocument[] = []
  const wrong: RowDocument[] = []
  for (const row of await compareRows(storedRows(parts.db, definition), definition, rows)) {
    if (row.comparison === 'missing' || row.comparison === 'older') older.push(row.right)
    else if (row.comparison === 'different') wrong.push(row.right)
    // One of a newer schema is none of this version's business.
    else if (row.comparison === 'newer' && row.stored.schema === row.right.schema) {
      await settle(parts, definition, row.stored)
    }
  }
  const target = byMajority(parts.db, definition)
  if (older.length > 0) await upsertRows(target, older)
  if (wrong.length > 0) await replaceRows(target, wrong)
}

/** Removes the rows of aggregates that the log does not know. */
export async function removeStrays(parts: RowRepairParts, definition: AnyViewDefinition): Promise<void> {
  const { db, log } = parts
  for (let after = ''; ; ) {
    const rows = await storedRows(db, definition)
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 })
      .project<VersionedDocument>({ schema: 1, version: 1 })
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
  { _id, schema, version }: VersionedDocument,
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

function byMajority(db: Db, { name }: AnyViewDefinition): RowTarget {
  return { db, collection: name, durability: 'majority' }
}
