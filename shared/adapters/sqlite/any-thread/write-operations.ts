/** What the main thread and the writer thread say to each other. */
import type { MessagePort } from 'node:worker_threads'
import type { AppendOutcome } from '../../../event-sourcing/ports/event-store.ts'
import type { AppliedCommit } from './applied-commit.ts'
import type { Failure } from './failures.ts'
import type { EncodedRow, StoredRow, ViewShape } from './view-shape.ts'

/** A commit as it goes into the table of events. */
export interface EncodedCommit {
  readonly commitId: string
  readonly category: string
  readonly streamId: string
  readonly expectedVersion: number
  /** The columns of each event, in the order of STORED_EVENT, but for its position. */
  readonly events: readonly (readonly SqlValue[])[]
}

/** A row, or a snapshot, with the tables that it goes into. */
export type ForView<Row> = readonly [view: string, generation: number, row: Row]

/** A commit as it is handed to the writer thread, with the rows that it brings. */
export interface AppendOperation extends EncodedCommit {
  readonly kind: 'append'
  readonly rows: readonly ForView<EncodedRow>[]
}

/** A commit of another log, with the position of its first event there. */
export interface ImportedCommit extends EncodedCommit {
  readonly position: number
}

/** A part of a log folded onto views. */
export interface ProjectOperation {
  readonly kind: 'project'
  readonly rows: readonly ForView<EncodedRow>[]
  readonly snapshots: readonly ForView<StoredRow>[]
  /** Where the log is stored elsewhere: what was applied so far, and what is with these rows. */
  readonly follows?: { readonly after: number; readonly applied: AppliedCommit }
}

type SqlValue = string | number | null
export type SqlRow = Readonly<Record<string, unknown>>

/** One statement by itself. */
export interface SqlOperation {
  readonly kind: 'sql'
  readonly sql: string
  /** Those of `:name`. */
  readonly named?: Record<string, SqlValue>
  /** Those of `?`, in order. */
  readonly values?: readonly SqlValue[]
}

/** Everything else that the writer thread can be asked to do; each is done as a whole or not at all. */
export type OtherOperation =
  /** Writes commits of another log behind the last one, without any rows: every view is to be built anew. */
  | { readonly kind: 'import'; readonly commits: readonly ImportedCommit[] }
  | ProjectOperation
  | SqlOperation
  /** A script that makes or drops tables of views. */
  | { readonly kind: 'tables'; readonly sql: string }

export type WriteOperation = AppendOperation | OtherOperation

/** A no-op write, as durable as an append. */
export const NO_OP: SqlOperation = { kind: 'sql', sql: 'UPDATE overwrites SET times = times + 1' }

export type AppendResult = Exclude<AppendOutcome, { type: 'unknown' }>
/** How any other operation ended; of a statement, with its first row. */
export type OtherResult = { readonly type: 'done'; readonly row?: SqlRow | undefined }
export type WriteResult = AppendResult | OtherResult

/** Operations that are handed to the writer thread together, and become durable in one transaction. */
export interface WriteBatch {
  readonly operations: readonly WriteOperation[]
  /** The last number of each sequence that was handed out before. */
  readonly sequences: ReadonlyMap<string, number>
}

/** How one operation of a batch ended: with its result, or with an error of its own. */
export type OperationEnd = { readonly result: WriteResult } | { readonly failure: Failure }

export type BatchEnd =
  | { readonly type: 'done'; readonly ends: readonly OperationEnd[]; readonly head: number }
  /** The whole transaction failed. `certain`: nothing of it can turn up later. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly certain: boolean }

/** How a batch ended: always that of the operations handed over first among those not answered yet. */
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
  /** The file can't be used: one line for the user. */
  | { readonly type: 'refused'; readonly message: string }
  | BatchAnswer
  | { readonly type: 'closed' }

export interface WriterOptions {
  readonly file: string
  /** Of the views that it is opened with. */
  readonly shapes: readonly ViewShape[]
}

/** Asks the writer thread to open a file and to serve it through the port. */
export type OpenRequest = WriterOptions & { readonly port: MessagePort }
