import type { Collection } from 'mongodb'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import type { ReadFollowed } from '../../sqlite/following/followed-log.ts'
import type { PrimaryBarrier } from '../connection/primary-barrier.ts'
import { type CommitDocument, LOG_FIELDS, lastPosition, toLogEvents } from './commit-document.ts'
import { findCommitsAfter } from './commits-after.ts'

/** Small enough that folding a batch doesn't block other work for long. */
const COMMITS_PER_BATCH = 500

const FIELDS = [...LOG_FIELDS, 'commitId', 'attempt'] as const

/** Distinguishes a commit from one written with the same commitId after the log was restored to an earlier state. */
const identityOf = ({ commitId, attempt }: Pick<CommitDocument, 'commitId' | 'attempt'>): string =>
  `${commitId} ${attempt}`

/** Reads the log for views that follow it: majority reads from a primary that shows everything acknowledged. */
export function createFollowedLog(log: Collection<CommitDocument>, id: string, barrier: PrimaryBarrier): ReadFollowed {
  return async (applied) => {
    if (applied !== undefined && applied.log !== id) return 'diverged'
    // Rereads the last applied commit, to detect a log that was restored to an earlier state.
    const after = (applied === undefined ? BEGINNING : applied.first - 1) as Position
    const range = { after, limit: COMMITS_PER_BATCH, fields: FIELDS }
    let { commits, isLast } = await barrier.read(() => findCommitsAfter(log, range))
    const reread = applied === undefined ? undefined : commits.shift()
    if ((reread && identityOf(reread)) !== applied?.commit) return 'diverged'
    // Two adjacent large commits can exceed the size of one reply.
    if (applied !== undefined && commits.length === 0 && !isLast) {
      ;({ commits, isLast } = await barrier.read(() => findCommitsAfter(log, { ...range, after: applied.last })))
    }
    const end = commits.at(-1)
    const last = end && { log: id, commit: identityOf(end), first: end._id as Position, last: lastPosition(end) }
    return { events: commits.flatMap(toLogEvents), last, isLast }
  }
}
