import type { Position } from '../../../event-sourcing/event.ts'
import type { Statements } from '../file/statements.ts'

/** The last commit of a log stored elsewhere whose rows are in the views: identifies that log, and the progress. */
export interface AppliedCommit {
  /** The log's id: another log of the same name has a different one. */
  readonly log: string
  /** Unique among the commits of all logs. */
  readonly commit: string
  /** The positions of its first and last event. */
  readonly first: Position
  readonly last: Position
}

/** Format 4: how far the views have followed a log stored elsewhere. At most one row. */
export const CREATE_APPLIED = `
  CREATE TABLE IF NOT EXISTS applied (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    log TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
  ) STRICT`

/** The last commit applied; undefined when there is none. */
export function readApplied(statements: Statements): AppliedCommit | undefined {
  return statements.of<AppliedCommit>('SELECT log, commit_id AS "commit", first, last FROM applied').get()
}

/** Records the last commit applied, within the running transaction. */
export function storeApplied(statements: Statements, { log, commit, first, last }: AppliedCommit): void {
  statements.of('INSERT OR REPLACE INTO applied VALUES (1, ?, ?, ?, ?)').run(log, commit, first, last)
}
