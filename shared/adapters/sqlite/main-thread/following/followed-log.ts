import type { LogEvent } from '../../../../event-sourcing/event.ts'
import type { AppliedCommit } from '../../any-thread/applied-commit.ts'

/** A commit of a log that views follow. */
export interface FollowedCommit {
  /** No other commit has it, of whatever log. */
  readonly identity: string
  /** At least one, in order. */
  readonly events: readonly LogEvent[]
}

/** Commits behind the one that was applied last. */
export interface FollowedBatch {
  readonly commits: readonly FollowedCommit[]
  /** Whether the log ended behind them when they were read. */
  readonly isLast: boolean
}

/** A log, kept in another engine, that the views of a file follow. */
export interface FollowedLog {
  /** Made with the log: another log of the same name has another one. */
  readonly id: string
  /**
   * The commits after the one applied last (undefined: from the beginning), in order, of a few megabytes at the most;
   * everything acknowledged before the call is in it or in the batches after it. Answers `diverged` when the log doesn't
   * have that commit at its position: it was restored to an earlier state, or is another log.
   */
  readAfter(applied: AppliedCommit | undefined): Promise<FollowedBatch | 'diverged'>
}
