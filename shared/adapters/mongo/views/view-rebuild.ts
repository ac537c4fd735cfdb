import type { Collection, Db } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { foldBatch } from '../../../event-sourcing/projector.ts'
import { readAhead } from '../../../event-sourcing/read-ahead.ts'
import {
  type CommitDocument,
  type LogDocument,
  lastPosition,
  STREAM_INDEX,
  streamOf,
  toLogEvents,
} from '../log/commit-document.ts'
import { LOG_FIELDS, readCommitsAfter } from '../log/commits-after.ts'
import { countCreations, readOutlines } from '../log/log-outline.ts'
import type { LogReader } from '../log/log-reader.ts'
import { insertRows, removeStrays, repairRows } from './row-repair.ts'
import type { StreamProjection } from './stream-projection.ts'
import { NOTHING_YET, type ViewCheckpoints } from './view-checkpoints.ts'
import { countRows, rowsOf } from './view-row.ts'

/** Commits looked at in one step. */
const STEP = 2_000
/** Steps under way at a time: while one waits for the disks, others fold. */
const STEPS_AT_ONCE = 3

export interface RebuildParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly reader: LogReader
  readonly projection: StreamProjection
  readonly checkpoints: ViewCheckpoints
}

/**
 * Builds a view anew in place, while any number of processes read and write it: each aggregate is folded from its
 * whole stream, and its row written where it is not that already. Rows that the log does not account for go at the
 * end, and the kept count is set right.
 */
export async function rebuildView(
  parts: RebuildParts,
  definition: AnyViewDefinition,
  onProgress: (reached: Position) => void = () => undefined,
): Promise<void> {
  const isEmpty = (await rowsOf(parts.db, definition).findOne({}, { projection: { _id: 1 } })) === null
  const write = (rows: readonly ViewRow[]) =>
    isEmpty ? insertRows(parts.db, definition, rows) : repairRows(parts, definition, rows)
  // What is appended from now on may be folded in or not: that is for the catch-up to see, from here.
  const position = await parts.reader.head()
  let count = 0
  let streams = 0
  const steps: Promise<void>[] = []
  for await (const commits of wholeLog(parts.log)) {
    const created = commits.filter(({ stream, events }) => isOf(definition, stream) && events[0]?.version === 1)
    count += created.filter(({ _id }) => _id <= position).length
    streams += created.length
    const step = foldStreams(parts, definition, commits, created).then(write)
    // Awaited below, or of no interest any more because another one has failed.
    step.catch(() => undefined)
    steps.push(step)
    if (steps.length === STEPS_AT_ONCE) await steps.shift()
    const last = commits.at(-1)
    if (last !== undefined) onProgress(lastPosition(last))
  }
  await Promise.all(steps)
  // Each of these streams has its row by now; where there are no more rows, none is a stray.
  if (!isEmpty && (await countRows(parts.db, definition)) > streams) await removeStrays(parts, definition)
  await settleCount(parts, definition, { position, count })
}

function wholeLog(log: Collection<CommitDocument>) {
  const readAfter = (after: Position) => readCommitsAfter(log, { after, limit: STEP, fields: LOG_FIELDS })
  return readAhead<LogDocument>({ readAfter, positionOf: lastPosition })
}

/** The rows of the aggregates created in a step, as they are at the end of their streams. */
async function foldStreams(
  { log }: RebuildParts,
  definition: AnyViewDefinition,
  commits: readonly LogDocument[],
  created: readonly LogDocument[],
): Promise<ViewRow[]> {
  const streams = new Set(created.map(({ stream }) => stream))
  const edits = await log
    .find({ stream: { $in: [...streams] }, 'events.version': { $gt: 1 } }, { hint: STREAM_INDEX, batchSize: STEP })
    .toArray()
  edits.sort((a, b) => a._id - b._id)
  // Those within the step come twice; what a row has seen is passed over.
  const all = [...commits.filter(({ stream }) => streams.has(stream)), ...edits]
  return foldBatch(definition, all.flatMap(toLogEvents), () => undefined)
}

function isOf({ category }: AnyViewDefinition, stream: string): boolean {
  return streamOf(stream).category === category
}

/** The count at the checkpoint, wherever others have moved it meanwhile, from the count where the rebuild began. */
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
