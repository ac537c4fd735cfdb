import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LogEvent, Position, RecordedEvent } from '../../../event-sourcing/event.ts'
import type { AppendOutcome, Commit, EventStore } from '../../../event-sourcing/event-store.ts'
import type { ViewDefinition } from '../../../event-sourcing/view.ts'
import { reading } from '../failures.ts'
import type { Statements } from '../statements.ts'
import type { RecentRows } from '../views/recent-rows.ts'
import { encodeRow } from '../views/view-shape.ts'
import { findReceipt, headOf } from '../writing/append.ts'
import { OutcomeUnknown } from '../writing/pending-operations.ts'
import type { AppendOperation } from '../writing/write-operations.ts'
import type { Writer } from '../writing/writer.ts'

const LOG_EVENT = 'position, category, stream_id, version, type, data, at'
const RECORDED_EVENT = `${LOG_EVENT}, by, request_id, commit_id`

export interface EventStoreParts {
  readonly writer: Writer
  readonly statements: Statements
  readonly views: readonly ViewDefinition<unknown>[]
  /** By the name of their view. */
  readonly recent: ReadonlyMap<string, RecentRows>
}

/** The log. Reads go to the main thread's connection; a commit is in a transaction with its rows. */
export function createEventStore({ writer, statements, views, recent }: EventStoreParts): EventStore {
  return {
    async append(commit) {
      const operation = encodeCommit(views, commit)
      for (const { view, id } of commit.rows) recent.get(view)?.beginWrite(id)
      try {
        return await append(writer, operation)
      } finally {
        for (const { view, id } of commit.rows) recent.get(view)?.endWrite(id)
      }
    },
    readStream: async (stream, range = {}) =>
      reading(() =>
        statements
          .asArrays(
            `SELECT ${RECORDED_EVENT} FROM events WHERE category = ? AND stream_id = ? AND version > ? AND version <= ?
             AND at <= ? ORDER BY version LIMIT ?`,
          )
          .all(
            stream.category,
            stream.id,
            range.afterVersion ?? 0,
            range.upToVersion ?? Number.MAX_SAFE_INTEGER,
            range.upToTime ?? Number.MAX_SAFE_INTEGER,
            range.limit ?? -1,
          )
          .map(toRecordedEvent),
      ),
    async readAll(after, limit) {
      const events = readLog(statements, after, limit)
      // Whoever reads the whole log, or waits at its end, page after page, lets others have their turn.
      await nextTurn()
      return events
    },
    findCommit: async (commitId) => reading(() => findReceipt(statements, commitId)),
    head: async () => reading(() => headOf(statements)),
    countAfter: async (position) => reading(() => headOf(statements) - position),
    onAppended: (wake) => writer.onHead(() => wake()),
  }
}

/** The log's events after a position. Throws StoreUnavailable. */
export function readLog(statements: Statements, after: Position, limit: number): LogEvent[] {
  return reading(() =>
    statements
      .asArrays(`SELECT ${LOG_EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
      .all(after, limit)
      .map(toLogEvent),
  )
}

async function append(writer: Writer, operation: AppendOperation): Promise<AppendOutcome> {
  try {
    return await writer.write(operation)
  } catch (error) {
    if (error instanceof OutcomeUnknown) return { type: 'unknown', cause: error }
    throw error
  }
}

/** Throws an Error when a view of the commit's category gets no row: it would fall behind the log. */
function encodeCommit(views: readonly ViewDefinition<unknown>[], commit: Commit): AppendOperation {
  const { stream, commitId, expectedVersion, metadata, events } = commit
  if (events.length === 0) throw new Error(`commit ${commitId} has no events`)
  const rows = views
    .filter(({ category }) => category === stream.category)
    .map((view) => {
      const row = commit.rows.find((candidate) => candidate.view === view.name)
      if (!row) throw new Error(`commit ${commitId} on a ${stream.category} brings no row for the view ${view.name}`)
      return [view.name, encodeRow(view, row)] as const
    })
  return {
    kind: 'append',
    commitId,
    category: stream.category,
    streamId: stream.id,
    expectedVersion,
    at: metadata.at,
    by: metadata.by,
    requestId: metadata.requestId,
    requestHash: metadata.requestHash ?? null,
    events: events.map(({ type, data }) => [type, JSON.stringify(data)] as const),
    rows,
  }
}

type LogColumns = readonly [Position, string, string, number, string, string, number]

function toLogEvent(columns: unknown): LogEvent {
  const [position, category, id, version, type, data, at] = columns as LogColumns
  return { position, stream: { category, id }, version, type, data: JSON.parse(data), at }
}

function toRecordedEvent(columns: unknown): RecordedEvent {
  const [, , , , , , , by, requestId, commitId] = columns as readonly [...LogColumns, string, string, string]
  return { ...toLogEvent(columns), by, requestId, commitId }
}
