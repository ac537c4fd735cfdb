import type { RecordedCommit } from './inspection.ts'

/** Fills a database with the log of another one, on the same or another engine. */
export interface LogImporter {
  /**
   * Appends commits exactly as they are in the other log, with positions, ids and metadata; durable when it resolves.
   * Doesn't update views: open the database without any, and they are built when it is next opened. Throws an Error when
   * the commits don't continue this log, or another process writes to it.
   */
  writeCommits(commits: readonly RecordedCommit[]): Promise<void>
  /** Makes a sequence continue after a number, unless it is already past it. */
  raiseSequence(category: string, last: number): Promise<void>
}
