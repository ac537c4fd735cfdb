import type { Collection } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { Inspection, RecordedCommit } from '../../../event-sourcing/ports/inspection.ts'
import { orUnavailable } from '../connection/availability.ts'
import type { PrimaryBarrier } from '../connection/primary-barrier.ts'
import { sequencesOf } from '../sequence.ts'
import type { Views } from '../views.ts'
import { type CommitDocument, LOG_FIELDS, streamOf } from './commit-document.ts'
import { findCommitsAfter } from './commits-after.ts'
import type { LogReader } from './log-reader.ts'

/** Inspects everything acknowledged in the log, and this process's view rows. */
export function createInspection(
  log: Collection<CommitDocument>,
  { reader, barrier, views }: { reader: LogReader; barrier: PrimaryBarrier; views: Pick<Views, 'inspect'> },
): Inspection {
  async function readCommits(after: Position, limit: number): Promise<RecordedCommit[]> {
    const { commits } = await findCommitsAfter(log, { after, limit, fields: RECORDED_FIELDS })
    return commits.map(toCommit)
  }

  return {
    head: () => orUnavailable(barrier.read(reader.head)),
    readCommits: (after, limit) => orUnavailable(barrier.read(() => readCommits(after, limit))),
    // The unique index, which is created before anything is read, rules them out.
    repeatedCommits: async () => [],
    // MongoDB verifies the checksum of every block that it reads.
    brokenFiles: async () => [],
    lastNumber: async (category) =>
      (await orUnavailable(barrier.read(() => sequencesOf(log.db).findOne({ _id: category }))))?.last ?? 0,
    async copyViews(definitions, fold) {
      // Copied outside `inspect`: it takes longer than a read may.
      const stored = await views.inspect(async (rows) => rows)
      const copy = await stored.copyViews(definitions, fold)
      return {
        ...copy,
        async pin() {
          // First brings the stored views up to everything that the copy was given.
          await views.inspect(async () => undefined)
          return await copy.pin()
        },
      }
    },
  }
}

const RECORDED_FIELDS = [...LOG_FIELDS, 'commitId', 'requestId', 'requestHash'] as const

function toCommit(document: Omit<CommitDocument, 'attempt'>): RecordedCommit {
  const { at, by, requestId, requestHash, traceparent } = document
  return {
    position: document._id as Position,
    stream: streamOf(document.stream),
    version: document.events[0]?.version ?? 0,
    commitId: document.commitId,
    events: document.events.map(({ type, data }) => ({ type, data })),
    metadata: {
      at,
      by,
      requestId,
      ...(requestHash !== undefined && { requestHash }),
      ...(traceparent !== undefined && { traceparent }),
    },
  }
}
