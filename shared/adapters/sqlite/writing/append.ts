import type { Position } from '../../../event-sourcing/event.ts'
import { leavesSnapshot } from '../../../event-sourcing/snapshots.ts'
import { findReceipt } from '../log/log-reads.ts'
import { STORED_EVENT } from '../log/log-tables.ts'
import type { Statements } from '../statements.ts'
import type { RowWriter } from '../views/row-writer.ts'
import type { AppendOperation, EncodedCommit, ImportedCommit, WriteResults } from './write-operations.ts'

/** Where each view's rows go: into the tables that are read, and into those being built beside them. */
export type RowWriters = ReadonlyMap<string, readonly RowWriter[]>

/** The log within the running transaction. */
export interface OpenLog {
  readonly statements: Statements
  /** The position of the last event; append moves it. */
  head: Position
}

const INSERT_EVENT = `INSERT INTO events (${STORED_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/**
 * Writes one commit within the running transaction, or finds that it must not be written. The unique indexes on commit
 * and on stream and version are the second line of defence: they fail the operation.
 */
export function append(log: OpenLog, rowWriters: RowWriters, operation: AppendOperation): WriteResults['append'] {
  const known = findReceipt(log.statements, operation.commitId)
  if (known) return { type: 'already-appended', receipt: known }
  const currentVersion = streamVersion(log.statements, operation.category, operation.streamId)
  if (currentVersion !== operation.expectedVersion) return { type: 'wrong-version', currentVersion }
  insertEvents(log, operation)
  for (const [view, row] of operation.rows) {
    for (const writer of rowWriters.get(view) ?? []) {
      writer.write(row)
      if (leavesSnapshot(currentVersion, row.version)) writer.writeSnapshot(row)
    }
  }
  return { type: 'appended', version: currentVersion + operation.events.length, position: log.head }
}

/**
 * Writes commits of another log within the running transaction, at the positions that they have there. Throws when they
 * don't follow upon this log's last event.
 */
export function importCommits(log: OpenLog, commits: readonly ImportedCommit[]): void {
  for (const commit of commits) {
    if (commit.position !== log.head + 1) {
      throw new Error(
        `the commit at position ${commit.position} does not follow upon this log, which ends at ${log.head}`,
      )
    }
    insertEvents(log, commit)
  }
}

function streamVersion(statements: Statements, category: string, id: string): number {
  const found = statements
    .of('SELECT version FROM events WHERE category = ? AND stream_id = ? ORDER BY version DESC LIMIT 1')
    .get(category, id)
  return Number(found?.version ?? 0)
}

/** Positions go on from the last one, without a gap: there is no other writer. */
function insertEvents(log: OpenLog, commit: EncodedCommit): void {
  const insert = log.statements.of(INSERT_EVENT)
  for (const [index, [type, data]] of commit.events.entries()) {
    insert.run(
      log.head + 1 + index,
      commit.category,
      commit.streamId,
      commit.expectedVersion + 1 + index,
      type,
      data,
      commit.at,
      commit.by,
      commit.requestId,
      commit.commitId,
      index,
      commit.events.length,
      commit.requestHash,
    )
  }
  log.head = (log.head + commit.events.length) as Position
}
