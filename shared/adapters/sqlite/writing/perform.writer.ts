import type { Position } from '../../../event-sourcing/event.ts'
import type { Statements } from '../file/statements.ts'
import { storeApplied } from '../following/applied-commit.ts'
import { findReceipt, versionOf } from '../log/log-reads.ts'
import { STORED_EVENT } from '../log/log-tables.ts'
import type { RowWriter } from '../views/rows.writer.ts'
import type {
  AppendOperation,
  AppendResult,
  EncodedEvent,
  ImportOperation,
  ProjectOperation,
  ViewChange,
  WriteOperation,
  WriteResult,
} from './write-operations.ts'

/** The file within the open transaction. */
export interface OpenTransaction {
  readonly statements: Statements
  /** The position of the last event; append moves it. */
  head: Position
  /** The writer of a view's tables. */
  rowWriter(view: string, generation: number): RowWriter
}

/** Performs one operation within the open transaction, and returns its result. */
export function perform(transaction: OpenTransaction, operation: WriteOperation): WriteResult {
  switch (operation.kind) {
    case 'append':
      return append(transaction, operation)
    case 'sql': {
      const { sql, named = {}, values = [] } = operation
      return transaction.statements.of(sql).get(named, ...values)
    }
    case 'import':
      return importCommits(transaction, operation)
    case 'project':
      return project(transaction, operation)
    case 'tables':
      transaction.statements.connection.exec(operation.sql)
  }
  return undefined
}

const INSERT_EVENT = `INSERT INTO events (${STORED_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/**
 * Writes one commit, or returns why it must not be written. The unique indexes on commit, and on stream and version,
 * are the second line of defence: a violation fails the operation.
 */
function append(transaction: OpenTransaction, operation: AppendOperation): AppendResult {
  const known = findReceipt(transaction.statements, operation.commitId)
  if (known) return { type: 'already-appended', receipt: known }
  const { stream, expectedVersion, dependsOn = [] } = operation
  const currentVersion = versionOf(transaction.statements, stream)
  if (currentVersion !== expectedVersion) return { type: 'wrong-version', currentVersion }
  const hasChanged = dependsOn.some(({ stream, version }) => versionOf(transaction.statements, stream) !== version)
  if (hasChanged) return { type: 'dependency-changed' }
  insertEvents(transaction, operation.events)
  changeViews(transaction, operation.changes)
  return { type: 'appended', version: currentVersion + operation.events.length, position: transaction.head }
}

/** Writes commits at their own positions. Throws when they don't follow this log's last event. */
function importCommits(transaction: OpenTransaction, { commits }: ImportOperation): undefined {
  for (const { position, events } of commits) {
    const { head } = transaction
    if (position !== head + 1) {
      throw new Error(`the commit at position ${position} does not follow this log, which ends at ${head}`)
    }
    insertEvents(transaction, events)
  }
  transaction.statements.of('DELETE FROM views').run()
}

function changeViews(transaction: OpenTransaction, changes: readonly ViewChange[]): void {
  for (const change of changes) transaction.rowWriter(change.view, change.generation).write(change)
}

function project(transaction: OpenTransaction, { changes, follows }: ProjectOperation): undefined {
  if (follows && transaction.head !== follows.after) {
    throw new Error(`commits after ${follows.after}, but ${transaction.head} is applied`)
  }
  changeViews(transaction, changes)
  if (!follows) return
  storeApplied(transaction.statements, follows.applied)
  transaction.head = follows.applied.last
}

/** Positions continue from the last one without a gap, since there is no other writer. */
function insertEvents(transaction: OpenTransaction, events: readonly EncodedEvent[]): void {
  const insert = transaction.statements.of(INSERT_EVENT)
  for (const event of events) {
    transaction.head = (transaction.head + 1) as Position
    insert.run(transaction.head, ...event)
  }
}
