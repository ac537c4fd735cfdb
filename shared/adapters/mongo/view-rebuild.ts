import { randomUUID } from 'node:crypto'
import type { Collection, Db, Document } from 'mongodb'
import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import { foldBatch } from '../../event-sourcing/projector.ts'
import type { AnyViewDefinition } from '../../event-sourcing/view.ts'
import { type CommitDocument, streamKey, toEvents } from './commit-document.ts'
import { countCreations, readOutlines } from './log-outline.ts'
import { BY_MAJORITY } from './majority.ts'
import { runRowCommand, writeRows } from './row-writes.ts'
import type { StreamProjection } from './stream-projection.ts'
import { NOTHING_YET, type ViewCheckpoints } from './view-checkpoints.ts'
import { notNewerThan, type RowDocument, rowsOf, toRowDocument } from './view-row.ts'

/** Commits looked at in one step. */
const STEP = 1_000

export interface RebuildParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly projection: StreamProjection
  readonly checkpoints: ViewCheckpoints
}

/**
 * Builds a view anew in place, while any number of processes read and write it: each aggregate is folded from its
 * whole stream, and written unless a newer row stands there. Rows that the log does not account for go at the end,
 * and the kept count is set right.
 */
export async function rebuildView(
  parts: RebuildParts,
  definition: AnyViewDefinition,
  onProgress: (reached: Position) => void = () => undefined,
): Promise<void> {
  const rebuild = randomUUID()
  const isEmpty = (await rowsOf(parts.db, definition).findOne({}, { projection: { _id: 1 } })) === null
  let reached = BEGINNING
  let count = 0
  for (;;) {
    const outlines = await readOutlines(parts.log, reached, STEP)
    const last = outlines.at(-1)
    if (last === undefined) break
    const created = outlines.filter(({ isFirst, category }) => isFirst && category === definition.category)
    const ids = created.map(({ id }) => id)
    await rebuildRows(parts, definition, { ids, rebuild, isEmpty })
    count += created.length
    reached = last.lastPosition
    onProgress(reached)
  }
  await removeStrays(parts, definition, rebuild)
  await settleCount(parts, definition, { position: reached, count })
}

interface RowsToRebuild {
  readonly ids: readonly string[]
  /** Rows carry the rebuild's id, so that the others can be found at the end. */
  readonly rebuild: string
  /** Nothing but what others write meanwhile can be in the way: plain inserts will do, at a multiple of the speed. */
  readonly isEmpty: boolean
}

async function rebuildRows(
  { db, log }: RebuildParts,
  definition: AnyViewDefinition,
  { ids, rebuild, isEmpty }: RowsToRebuild,
): Promise<void> {
  if (ids.length === 0) return
  const streams = ids.map((id) => streamKey({ category: definition.category, id }))
  const commits = await log
    .find({ stream: { $in: streams } }, { allowDiskUse: true })
    .sort({ _id: 1 })
    .toArray()
  const rows = foldBatch(definition, commits.flatMap(toEvents), () => undefined)
  const documents = rows.map((row) => ({ ...toRowDocument(definition, row), rebuild }))
  if (isEmpty) return await writeRows(db, definition.name, documents, 'majority')
  const updates = documents.map((document) => ({ q: notNewerThan(document), u: document, upsert: true }))
  await runRowCommand(db, { update: definition.name, updates, ordered: false, writeConcern: BY_MAJORITY })
}

/** What the rebuild did not write is newer (somebody is appending), or wrong: each such row is held against the log. */
async function removeStrays(
  { db, projection }: RebuildParts,
  definition: AnyViewDefinition,
  rebuild: string,
): Promise<void> {
  const rows = rowsOf(db, definition)
  const others = rows.find({ rebuild: { $ne: rebuild }, schema: { $lte: definition.schema } } as Document)
  for await (const { _id, schema, version } of others.project<Pick<RowDocument, '_id' | 'schema' | 'version'>>({
    schema: 1,
    version: 1,
  })) {
    const right = await projection.foldFromStart(definition, _id)
    const asSeen = { _id, schema, version }
    if (right === undefined) await rows.deleteOne(asSeen, { writeConcern: BY_MAJORITY })
    else if (right.version < version || schema < definition.schema) {
      await rows.replaceOne(asSeen, toRowDocument(definition, right), { writeConcern: BY_MAJORITY })
    }
  }
}

/** The count at the checkpoint, wherever others have moved it meanwhile, from the count at the rebuild's end. */
async function settleCount(
  { log, checkpoints }: RebuildParts,
  definition: AnyViewDefinition,
  built: { readonly position: Position; readonly count: number },
): Promise<void> {
  await checkpoints.start(definition, built)
  for (;;) {
    const stored = (await checkpoints.read(definition)) ?? NOTHING_YET
    const [before, after] = stored.position < built.position ? [stored, built] : [built, stored]
    const between = (await readOutlines(log, before.position)).filter((one) => one.lastPosition <= after.position)
    const difference = countCreations(between, definition.category)
    const count = stored.position < built.position ? built.count - difference : built.count + difference
    if (await checkpoints.move(definition, stored, { position: stored.position, count })) return
  }
}
