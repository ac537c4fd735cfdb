import type { RecordedCommit } from './inspection.ts'

/** Filling a database with the log of another one, whatever the engine of either. */
export interface LogImporter {
  /**
   * Writes commits as they stand in the other log, positions, ids and metadata included, right behind the last one of
   * this log; durable when it answers. Views learn nothing of them: the database is to be opened without any, and
   * views are built by the next opening. Throws an Error when they don't follow upon this log, or somebody else writes.
   */
  writeCommits(commits: readonly RecordedCommit[]): Promise<void>
  /** Makes a sequence go on after a number, unless it has come further. */
  raiseSequence(category: string, last: number): Promise<void>
}
