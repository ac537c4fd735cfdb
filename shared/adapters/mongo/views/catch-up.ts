import type { Collection, Db } from 'mongodb'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import type { CommitDocument } from '../log/commit-document.ts'
import { type Follower, followLog } from '../log/follow-log.ts'
import { type CommitOutline, countCreations, readOutlines } from '../log/log-outline.ts'
import type { LogReader } from '../log/log-reader.ts'
import { holdsVersion, type StreamProjection } from './stream-projection.ts'
import { NOTHING_YET, type ViewCheckpoints } from './view-checkpoints.ts'
import { rowsOf, type VersionedDocument } from './view-row.ts'

/** Commits looked at in one step. */
const STEP = 1_000
/** Between two rounds, in milliseconds: views are up to date without it, only the checkpoint waits. */
const ROUND_INTERVAL = 200
/** How often the log is looked at when nothing wakes it, in milliseconds. */
const IDLE_INTERVAL = 2_000

export interface CatchUp {
  /** Brings every view to where the log's head is now, at the least. */
  passHead(): Promise<void>
  /**
   * Starts to follow the log by itself; `wake` is to be called when something was appended. `onPassed` is called when
   * the checkpoints have come further.
   */
  follow(onPassed: () => void): Follower
}

export interface CatchUpParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly reader: LogReader
  readonly projection: StreamProjection
  readonly checkpoints: ViewCheckpoints
  readonly views: readonly AnyViewDefinition[]
}

/**
 * Follows the log and makes sure that each row is in the views and held by a majority before the checkpoint passes
 * its event. Rows are usually there already, written by whoever appended; those are the rows that a change of primary
 * can undo, and this is what brings them back. Several processes may do it at once: a step that another one has done
 * is noticed, and its count is not added twice.
 */
export function createCatchUp(parts: CatchUpParts): CatchUp {
  async function passHead(): Promise<Position> {
    const head = await parts.reader.head()
    await Promise.all(
      parts.views.map(async (definition) => {
        while ((await step(parts, definition)) < head);
      }),
    )
    return head
  }

  return {
    async passHead() {
      await passHead()
    },
    follow(onPassed) {
      let passed = BEGINNING
      const round = async (): Promise<void> => {
        const head = await passHead()
        if (head > passed) onPassed()
        passed = head
      }
      return followLog(round, { interval: ROUND_INTERVAL, idle: IDLE_INTERVAL })
    },
  }
}

/** Takes one view a step further; answers the position it has reached. */
async function step(parts: CatchUpParts, definition: AnyViewDefinition): Promise<number> {
  const { log, projection, checkpoints } = parts
  const from = (await checkpoints.read(definition)) ?? NOTHING_YET
  const outlines = await readOutlines(log, from.position, STEP)
  const last = outlines.at(-1)
  if (last === undefined) return from.position
  const missing = await versionsMissing(parts, definition, outlines)
  if (missing.size > 0) await projection.show(definition, missing, 'majority')
  const to = { position: last.lastPosition, count: from.count + countCreations(outlines, definition.category) }
  return (await checkpoints.move(definition, from, to)) ? to.position : from.position
}

/** Aggregates whose row, as a majority holds it, lacks an event of these commits, with the version they came to. */
async function versionsMissing(
  { db }: CatchUpParts,
  definition: AnyViewDefinition,
  outlines: readonly CommitOutline[],
): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>()
  for (const { category, id, version } of outlines) if (category === definition.category) versions.set(id, version)
  if (versions.size === 0) return versions
  const rows = await rowsOf(db, definition)
    .find({ _id: { $in: [...versions.keys()] } }, { readConcern: { level: 'majority' }, batchSize: STEP + 1 })
    .project<VersionedDocument>({ schema: 1, version: 1 })
    .toArray()
  for (const row of rows) if (holdsVersion(row, definition, versions.get(row._id) ?? 0)) versions.delete(row._id)
  return versions
}
