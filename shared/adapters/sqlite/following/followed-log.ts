import type { LogEvent } from '../../../event-sourcing/event.ts'
import type { AppliedCommit } from './applied-commit.ts'

/** What follows the last applied commit. */
export interface FollowedBatch {
  /** The events of whole commits, in order. */
  readonly events: readonly LogEvent[]
  /** The last of these commits; undefined if there are none. */
  readonly last: AppliedCommit | undefined
  /** Whether it was the last one of the log when it was read. */
  readonly isLast: boolean
}

/**
 * Reads a log, stored in another engine, that the views in a file follow: the commits after the last applied one
 * (undefined: from the beginning), a few megabytes at most; everything acknowledged before the call is in this batch or
 * in later ones. Returns `diverged` when the log doesn't have that commit at its position: it was restored to an earlier
 * state, or is another log.
 */
export type ReadFollowed = (applied: AppliedCommit | undefined) => Promise<FollowedBatch | 'diverged'>
