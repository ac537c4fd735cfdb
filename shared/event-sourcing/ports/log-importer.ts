import type { RecordedCommit } from './inspection.ts'

/** Fills a database with the log of another, whatever the engine of either. */
export interface LogImporter {
  /**
   * Writes commits exactly as they are in the other log (positions, ids and metadata included) right after the last one
   * of this log; durable when it resolves. Views are not updated: open the database without any, and the next opening
   * builds them. Throws an Error when the commits don't continue this log, or another process writes to it.
   */
  writeCommits(commits: readonly RecordedCommit[]): Promise<void>
  /** Makes a sequence continue after a number, unless it is already further. */
  raiseSequence(category: string, last: number): Promise<void>
}
