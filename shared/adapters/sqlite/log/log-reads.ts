import {
  type AuthoredEvent,
  BEGINNING,
  type Position,
  type RecordedEvent,
  type StreamName,
} from '../../../event-sourcing/event.ts'
import type { CommitReceipt, LogRange, StreamRange } from '../../../event-sourcing/ports/event-store.ts'
import type { Statements } from '../file/statements.ts'
import { readApplied } from '../following/applied-commit.ts'
import { AUTHORED_EVENT, type AuthoredEventColumns, STORED_EVENT, type StoredEventColumns } from './log-tables.ts'

/**
 * The position of the log's last event, BEGINNING when there is none. If the log is stored elsewhere: of the last event
 * applied.
 */
export function headOf(statements: Statements): Position {
  return lastPosition(statements) || (readApplied(statements)?.last ?? BEGINNING)
}

/** The position of the last event in the file, BEGINNING when there is none. */
export function lastPosition(statements: Statements): Position {
  return Number(statements.of('SELECT max(position) AS last FROM events').get()?.last ?? BEGINNING) as Position
}

/** The version of a stream's last event, 0 when there is no such stream. */
export function versionOf(statements: Statements, { category, id }: StreamName): number {
  const found = statements
    .of('SELECT version FROM events WHERE category = ? AND stream_id = ? ORDER BY version DESC LIMIT 1')
    .get(category, id)
  return Number(found?.version ?? 0)
}

/** How many events of some categories a range has. */
export function countIn(statements: Statements, categories: readonly string[], { after, upTo }: LogRange): number {
  const sql = `SELECT count(*) AS count FROM events WHERE position > ? AND position <= ?
    AND +category IN (SELECT value FROM json_each(?))`
  return Number(statements.of(sql).get(after, upTo, JSON.stringify(categories))?.count)
}

/** The events of a category in a part of the log, in order. Those of others are skipped, at a tenth of their cost. */
export function eventsIn(statements: Statements, category: string, { after, upTo }: LogRange): AuthoredEvent[] {
  return statements
    .asArrays<AuthoredEventColumns>(
      `SELECT ${AUTHORED_EVENT} FROM events WHERE position > ? AND position <= ? AND +category = ? ORDER BY position`,
    )
    .all(after, upTo, category)
    .map(toAuthoredEvent)
}

/** The log's events after a position, in order, at most `limit`. */
export function eventsAfter(statements: Statements, position: Position, limit: number): AuthoredEvent[] {
  return statements
    .asArrays<AuthoredEventColumns>(`SELECT ${AUTHORED_EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
    .all(position, limit)
    .map(toAuthoredEvent)
}

/** The events of a stream, in version order. */
export function eventsOf(statements: Statements, { category, id }: StreamName, range: StreamRange): RecordedEvent[] {
  const { afterVersion = 0, upToVersion = Number.MAX_SAFE_INTEGER } = range
  return statements
    .asArrays<StoredEventColumns>(
      `SELECT ${STORED_EVENT} FROM events WHERE category = ? AND stream_id = ? AND version > ? AND version <= ?
       ORDER BY version`,
    )
    .all(category, id, afterVersion, upToVersion)
    .map(toRecordedEvent)
}

/** The receipt of a commit that is in the log. */
export function findReceipt(statements: Statements, commitId: string): CommitReceipt | undefined {
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

/** The data of an event. Throws an Error that names the event if it is damaged. */
export function parseData(position: Position, data: string) {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new Error(`the event at position ${position} is damaged: ${(cause as Error).message}`, { cause })
  }
}

/** An event from its columns. */
export function toAuthoredEvent([position, category, id, version, type, data, at, by, traceparent]:
  | AuthoredEventColumns
  | StoredEventColumns): AuthoredEvent {
  const event = { position, stream: { category, id }, version, type, data: parseData(position, data), at, by }
  return traceparent === null ? event : { ...event, traceparent }
}

function toRecordedEvent(columns: StoredEventColumns): RecordedEvent {
  const [, , , , , , , , , requestId, commitId] = columns
  return { ...toAuthoredEvent(columns), requestId, commitId }
}
