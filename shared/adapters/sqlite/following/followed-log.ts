import type { LogEvent } from '../../../event-sourcing/event.ts'
import type { AppliedCommit } from './applied-commit.ts'

/** A commit of a log that views follow. */
export interface FollowedCommit {
  /** Unique among the commits of all logs. */
  readonly identity: string
  /** At least one, in order. */
  readonly events: readonly LogEvent[]
}

/** Commits after the last applied one. */
export interface FollowedBatch {
  readonly commits: readonly FollowedCommit[]
  /** Whether they were the last ones of the log when they were read. */
  readonly isLast: boolean
}

/** A log, stored in another engine, that the views in a file follow. */
export interface FollowedLog {
  /** Created with the log: another log of the same name has a different one. */
  readonly id: string
  /**
   * Reads the commits after the last applied one (undefined: from the beginning), in order, a few megabytes at most;
   * everything acknowledged before the call is in this batch or in later ones. Returns `diverged` when the log doesn't
   * have that commit at its position: it was restored to an earlier state, or is another log.
   */
  readAfter(applied: AppliedCommit | undefined): Promise<FollowedBatch | 'diverged'>
}
