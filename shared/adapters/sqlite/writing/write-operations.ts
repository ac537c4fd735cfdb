/** The messages between the main thread and the writer thread. */
import type { MessagePort } from 'node:worker_threads'
import type { StreamName } from '../../../event-sourcing/event.ts'
import type { AppendOutcome, Commit, StreamVersion } from '../../../event-sourcing/ports/event-store.ts'
import type { Failure } from '../file/failures.ts'
import type { AppliedCommit } from '../following/applied-commit.ts'
import type { EncodedVersion } from '../sums/encoded-version.ts'
import type { EncodedRow, StoredRow, ViewShape } from '../views/view-shape.ts'

/** A commit whose events are encoded as stored. */
export interface EncodedCommit {
  readonly commitId: string
  readonly stream: StreamName
  readonly expectedVersion: number
  readonly events: readonly EncodedEvent[]
}

/** The columns of STORED_EVENT after the position. */
export type EncodedEvent = readonly (string | number | null)[]

/** Encodes a commit for the table of events; its events' versions follow `expectedVersion`. */
export function encodeCommit(
  { stream, commitId, events, metadata }: Pick<Commit, 'stream' | 'commitId' | 'events' | 'metadata'>,
  expectedVersion: number,
): EncodedCommit {
  const { at, by, requestId, requestHash = null, traceparent = null } = metadata
  const encoded = events.map(({ type, data }, index) => {
    const authored = [stream.category, stream.id, expectedVersion + 1 + index, type, JSON.stringify(data), at, by]
    return [...authored, traceparent, requestId, commitId, index, events.length, requestHash]
  })
  return { commitId, stream, expectedVersion, events: encoded }
}

/** A change to one record in the tables of one view. */
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

/** Events of a log, folded into changes to views. */
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

/** Writes commits of another log after the last one, without rows: every view must be rebuilt afterwards. */
export interface ImportOperation {
  readonly kind: 'import'
  readonly commits: readonly { readonly position: number; readonly events: readonly EncodedEvent[] }[]
}

/** The operations other than appends; each is atomic, like an append. */
export type OtherOperation =
  | ImportOperation
  | ProjectOperation
  | SqlOperation
  /** A script that creates or drops view tables. */
  | { readonly kind: 'tables'; readonly sql: string }

export type WriteOperation = AppendOperation | OtherOperation

/** A no-op write, as durable as an append. */
export const NO_OP: SqlOperation = { kind: 'sql', sql: 'UPDATE overwrites SET times = times + 1' }

export type AppendResult = Exclude<AppendOutcome, { type: 'unknown' }>
/** The result of an append, or the first row of a statement. */
export type WriteResult = AppendResult | SqlRow | undefined

/** Operations sent to the writer thread together, which become durable in one transaction. */
export interface WriteBatch {
  readonly operations: readonly WriteOperation[]
  /** The last number issued of each sequence. */
  readonly sequences: ReadonlyMap<string, number>
}

/** How an operation ended. `certain`: nothing of it can reappear later. */
export type OperationEnd = { readonly result: WriteResult } | { readonly failure: Failure; readonly certain: boolean }

/** What the writer thread reports to the main thread. */
export type WriterMessage =
  | { readonly type: 'opened'; readonly sequences: ReadonlyMap<string, number> }
  /** How the oldest unanswered operations ended, which were one batch. */
  | { readonly type: 'batch'; readonly ends: readonly OperationEnd[]; readonly milliseconds: number }
  /** The file is closed or can't be used; `why` is one line for the user. */
  | { readonly type: 'ended'; readonly why: string }

export interface WriterOptions {
  readonly file: string
  /** The shapes of the views that the file is opened with. */
  readonly shapes: readonly ViewShape[]
}

/** Asks the writer thread to open a file and to serve it through the port. */
export type OpenRequest = WriterOptions & { readonly port: MessagePort }
