import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import { writeRow } from './row-writer.ts'
import type { Statements } from './statements.ts'
import type { ViewTables } from './view-tables.ts'
import type { AppendOperation, WriteResults } from './write-operations.ts'

/** The tables that each view's rows go into: those that are read, and those being built beside them. */
export type Generations = ReadonlyMap<string, readonly ViewTables[]>

/**
 * Writes one commit within the running transaction, or finds that it must not be written. The unique indexes on commit
 * and on stream and version are the second line of defence: they fail the operation.
 */
export function append(
  statements: Statements,
  generations: Generations,
  operation: AppendOperation,
): WriteResults['append'] {
  const known = findReceipt(statements, operation.commitId)
  if (known) return { type: 'already-appended', receipt: known }
  const currentVersion = streamVersion(statements, operation.category, operation.streamId)
  if (currentVersion !== operation.expectedVersion) return { type: 'wrong-version', currentVersion }
  const position = insertEvents(statements, operation)
  for (const [view, row] of operation.rows) {
    for (const tables of generations.get(view) ?? []) writeRow(statements, tables, row)
  }
  return { type: 'appended', version: currentVersion + operation.events.length, position }
}

/** The position of the log's last event, BEGINNING when there is none. */
export function headOf(statements: Statements): Position {
  return Number(statements.of('SELECT max(position) AS head FROM events').get()?.head ?? BEGINNING) as Position
}

/** The receipt of a commit that is in the log. */
export function findReceipt(statements: Statements, commitId: string) {
  const found = statements
    .of(
      `SELECT category, stream_id AS id, version + commit_size - 1 AS version, request_hash AS requestHash
       FROM events WHERE commit_id = ? AND commit_index = 0`,
    )
    .get(commitId)
  if (!found) return undefined
  const stream = { category: String(found.category), id: String(found.id) }
  const receipt = { commitId, stream, version: Number(found.version) }
  return found.requestHash === null ? receipt : { ...receipt, requestHash: String(found.requestHash) }
}

function streamVersion(statements: Statements, category: string, id: string): number {
  const found = statements
    .of('SELECT version FROM events WHERE category = ? AND stream_id = ? ORDER BY version DESC LIMIT 1')
    .get(category, id)
  return Number(found?.version ?? 0)
}

/** Positions go on from the last one, without a gap: there is no other writer. Returns that of the last event. */
function insertEvents(statements: Statements, operation: AppendOperation): Position {
  const first = headOf(statements) + 1
  const insert = statements.of(
    `INSERT INTO events (position, category, stream_id, version, type, data, at, by, request_id, commit_id, commit_index,
       commit_size, request_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  operation.events.forEach(([type, data], index) => {
    insert.run(
      first + index,
      operation.category,
      operation.streamId,
      operation.expectedVersion + 1 + index,
      type,
      data,
      operation.at,
      operation.by,
      operation.requestId,
      operation.commitId,
      index,
      operation.events.length,
      operation.requestHash,
    )
  })
  return (first + operation.events.length - 1) as Position
}
