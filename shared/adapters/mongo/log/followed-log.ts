import type { Collection } from 'mongodb'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import type { FollowedBatch, FollowedLog } from '../../sqlite/main-thread/following/followed-log.ts'
import type { PrimaryBarrier } from '../connection/primary-barrier.ts'
import { type CommitDocument, toLogEvents } from './commit-document.ts'
import { findCommitsAfter, LOG_FIELDS } from './commits-after.ts'

/** Small enough that folding them doesn't hold up others for long. */
const COMMITS_PER_BATCH = 500

const FIELDS = [...LOG_FIELDS, 'commitId', 'attempt'] as const

/** Tells a commit from one that was written with the same commitId after the log was restored to before it. */
const identityOf = ({ commitId, attempt }: Pick<CommitDocument, 'commitId' | 'attempt'>): string =>
  `${commitId} ${attempt}`

/** The log for views that follow it, read as a majority holds it, from a primary that has everything acknowledged. */
export function createFollowedLog(log: Collection<CommitDocument>, id: string, barrier: PrimaryBarrier): FollowedLog {
  return {
    id,
    async readAfter(applied): Promise<FollowedBatch | 'diverged'> {
      // The one applied last is read again: only so is a log noticed that was restored to an earlier state.
      const after = (applied === undefined ? BEGINNING : applied.first - 1) as Position
      const range = { after, limit: COMMITS_PER_BATCH, fields: FIELDS }
      let { commits, isLast } = await barrier.read(() => findCommitsAfter(log, range))
      const again = applied === undefined ? undefined : commits.shift()
      if ((again && identityOf(again)) !== applied?.commit) return 'diverged'
      // Two large commits side by side are more than one answer holds.
      if (applied !== undefined && commits.length === 0 && !isLast) {
        ;({ commits, isLast } = await barrier.read(() => findCommitsAfter(log, { ...range, after: applied.last })))
      }
      return { commits: commits.map((one) => ({ identity: identityOf(one), events: toLogEvents(one) })), isLast }
    },
  }
}
