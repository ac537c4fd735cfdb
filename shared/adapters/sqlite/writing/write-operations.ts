/** The messages between the main thread and the writer thread. */
import type { MessagePort } from 'node:worker_threads'
import type { AppendOutcome, Commit, StreamVersion } from '../../../event-sourcing/ports/event-store.ts'
import type { Failure } from '../file/failures.ts'
import type { AppliedCommit } from '../following/applied-commit.ts'
import type { EncodedVersion } from '../sums/encoded-version.ts'
import type { EncodedRow, StoredRow, ViewShape } from '../views/view-shape.ts'

/** A commit whose events' data is encoded as stored. */
export interface EncodedCommit {
  readonly commitId: string
  readonly category: string
  readonly streamId: string
  readonly expectedVersion: number
  readonly at: number
  readonly by: string
  readonly requestId: string
  readonly requestHash: string | null
  readonly traceparent: string | null
  readonly events: readonly (readonly [type: string, data: string])[]
}

/** Encodes a commit for the table of events; its events' versions follow `expectedVersion`. */
export function encodeCommit(
  { stream, commitId, events, metadata }: Pick<Commit, 'stream' | 'commitId' | 'events' | 'metadata'>,
  expectedVersion: number,
): EncodedCommit {
  const { at, by, requestId, requestHash = null, traceparent = null } = metadata
  return {
    commitId,
    category: stream.category,
    streamId: stream.id,
    expectedVersion,
    at,
    by,
    requestId,
    requestHash,
    traceparent,
    events: events.map(({ type, data }) => [type, JSON.stringify(data)]),
  }
}

/** A change of one record in the tables of one view. */
export interface ViewChange {
  readonly view: string
  readonly generation: number
  readonly row?: EncodedRow | undefined
  readonly snapshot?: StoredRow | undefined
  /** If the view stores every version; a record's versions must come in order. */
  readonly version?: EncodedVersion | undefined
}

/** A commit as sent to the writer thread, with what it changes in views. */
export interface AppendOperation extends EncodedCommit {
  readonly kind: 'append'
  readonly dependsOn?: readonly StreamVersion[] | undefined
  readonly changes: readonly ViewChange[]
}

/** A commit of another log, with the position of its first event there. */
export interface ImportedCommit extends EncodedCommit {
  readonly position: number
}

/** Events of a log, folded into changes of views. */
export interface ProjectOperation {
  readonly kind: 'project'
  readonly changes: readonly ViewChange[]
  /** If the log is stored elsewhere: the position applied before, and the last commit that these changes apply. */
  readonly follows?: { readonly after: number; readonly applied: AppliedCommit }
}

type SqlValue = string | number | null
export type SqlRow = Readonly<Record<string, unknown>>

/** A single statement. */
export interface SqlOperation {
  readonly kind: 'sql'
  readonly sql: string
  /** Values of `:name`. */
  readonly named?: Record<string, SqlValue>
  /** Values of `?`, in order. */
  readonly values?: readonly SqlValue[]
}

/** The operations other than appends; each is atomic, like an append. */
export type OtherOperation =
  /** Writes commits of another log after the last one, without rows: every view must be rebuilt afterwards. */
  | { readonly kind: 'import'; readonly commits: readonly ImportedCommit[] }
  | ProjectOperation
  | SqlOperation
  /** A script that creates or drops view tables. */
  | { readonly kind: 'tables'; readonly sql: string }

export type WriteOperation = AppendOperation | OtherOperation

/** A no-op write, as durable as an append. */
export const NO_OP: SqlOperation = { kind: 'sql', sql: 'UPDATE overwrites SET times = times + 1' }

export type AppendResult = Exclude<AppendOutcome, { type: 'unknown' }>
/** The result of any other operation; of a statement, with its first row. */
export type OtherResult = { readonly type: 'done'; readonly row?: SqlRow | undefined }
export type WriteResult = AppendResult | OtherResult

/** Operations sent to the writer thread together, which become durable in one transaction. */
export interface WriteBatch {
  readonly operations: readonly WriteOperation[]
  /** The last number issued of each sequence. */
  readonly sequences: ReadonlyMap<string, number>
}

/** How an operation of a batch ended: with its result, or with its own failure. */
export type OperationEnd = { readonly result: WriteResult } | { readonly failure: Failure }

export type BatchEnd =
  | { readonly type: 'done'; readonly ends: readonly OperationEnd[]; readonly head: number }
  /** The whole transaction failed. `certain`: nothing of it can reappear later. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly certain: boolean }

/** How a batch ended. Batches are answered in order, so it concerns the oldest unanswered operations. */
export interface BatchAnswer {
  readonly type: 'batch'
  readonly end: BatchEnd
  /** How many operations were in it. */
  readonly size: number
  readonly milliseconds: number
}

/** What the writer thread reports to the main thread. */
export type WriterMessage =
  | { readonly type: 'opened'; readonly head: number; readonly sequences: ReadonlyMap<string, number> }
  /** The file can't be used; `message` is one line for the user. */
  | { readonly type: 'refused'; readonly message: string }
  | BatchAnswer
  | { readonly type: 'closed' }

export interface WriterOptions {
  readonly file: string
  /** The shapes of the views that the file is opened with. */
  readonly shapes: readonly ViewShape[]
}

/** Asks the writer thread to open a file and to serve it through the port. */
export type OpenRequest = WriterOptions & { readonly port: MessagePort }
