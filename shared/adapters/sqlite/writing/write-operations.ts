import type { MessagePort } from 'node:worker_threads'
import type { AppendOutcome } from '../../../event-sourcing/ports/event-store.ts'
import type { Failure } from '../failures.ts'
import type { Place } from '../file-in-place.ts'
import type { AppliedCommit } from '../following/applied-commit.ts'
import type { EncodedRow, StoredRow, ViewShape } from '../views/view-shape.ts'

/** A commit as it goes into the table of events. */
export interface EncodedCommit {
  readonly commitId: string
  readonly category: string
  readonly streamId: string
  readonly expectedVersion: number
  readonly at: number
  readonly by: string
  readonly requestId: string
  readonly requestHash: string | null
  /** Type and JSON text of each event. */
  readonly events: readonly (readonly [type: string, data: string])[]
}

/** A commit as it is handed to the writer thread. */
export interface AppendOperation extends EncodedCommit {
  readonly kind: 'append'
  readonly rows: readonly (readonly [view: string, row: EncodedRow])[]
}

/** A commit of another log, with the position of its first event there. */
export interface ImportedCommit extends EncodedCommit {
  readonly position: number
}

/** Everything that the writer thread can be asked to do; each is done as a whole or not at all. */
export type WriteOperation =
  | AppendOperation
  /** Writes commits of another log behind the last one, without any rows. */
  | { readonly kind: 'import'; readonly commits: readonly ImportedCommit[] }
  | {
      readonly kind: 'acquire'
      readonly name: string
      readonly holder: string
      readonly now: number
      readonly expiresAt: number
    }
  | {
      readonly kind: 'renew'
      readonly name: string
      readonly epoch: number
      /** Where to move the checkpoint; null: nowhere. */
      readonly position: number | null
      readonly expiresAt: number
    }
  | { readonly kind: 'release'; readonly name: string; readonly epoch: number }
  | { readonly kind: 'reset'; readonly name: string }
  | { readonly kind: 'dead-letter'; readonly messageId: string; readonly letter: string }
  | { readonly kind: 'remove-dead-letter'; readonly messageId: string; readonly at: number }
  /** Writes something of no meaning, to see whether writing works. */
  | { readonly kind: 'probe' }
  | {
      readonly kind: 'raise-times'
      readonly of: string
      readonly times: readonly (readonly [id: string, at: number])[]
    }
  /** Makes the tables of the next generation of a view, and from then on writes each append's rows there too. */
  | { readonly kind: 'begin-rebuild'; readonly view: string }
  | {
      readonly kind: 'project'
      readonly view: string
      readonly generation: number
      readonly rows: readonly EncodedRow[]
      readonly snapshots?: readonly StoredRow[]
    }
  /** Makes the generation the one to read; the one before stays, and is written to, until it is dropped. */
  | { readonly kind: 'activate'; readonly view: string; readonly generation: number }
  /** Applies commits of a log that is kept elsewhere to every view; fails when they don't follow upon the last applied. */
  | {
      readonly kind: 'follow'
      /** The position applied so far. */
      readonly after: number
      readonly applied: AppliedCommit
      readonly rows: readonly (readonly [view: string, row: EncodedRow])[]
      readonly snapshots: readonly (readonly [view: string, snapshot: StoredRow])[]
    }
  /** Clears away a part of a generation that isn't read any more; answers whether that was the last of it. */
  | { readonly kind: 'drop'; readonly view: string; readonly generation: number }

/** What each operation answers. */
export interface WriteResults {
  readonly append: Exclude<AppendOutcome, { type: 'unknown' }>
  readonly import: undefined
  /** Undefined: another holder's lease has not run out. */
  readonly acquire: { readonly epoch: number; readonly position: number } | undefined
  /** False: another holder has taken over. */
  readonly renew: boolean
  readonly release: undefined
  readonly reset: undefined
  readonly 'dead-letter': undefined
  readonly 'remove-dead-letter': undefined
  readonly 'raise-times': undefined
  readonly probe: undefined
  readonly 'begin-rebuild': { readonly generation: number }
  readonly project: undefined
  readonly activate: undefined
  readonly follow: undefined
  readonly drop: boolean
}

export type ResultOf<Operation extends WriteOperation> = WriteResults[Operation['kind']]

/** Operations that are handed to the writer thread together, and become durable in one transaction. */
export interface WriteBatch {
  readonly operations: readonly WriteOperation[]
  /** Sequences that moved since it was last kept how far they are, with the last number handed out. */
  readonly sequences: SequenceNumbers
}

export type SequenceNumbers = readonly (readonly [category: string, last: number])[]

/** How one operation of a batch ended: with its result, or with an error of its own. */
export type OperationEnd = { readonly result: WriteResults[keyof WriteResults] } | { readonly failure: Failure }

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
  readonly sequences: SequenceNumbers
  readonly milliseconds: number
}

/** One generation of a view, as the file has it. */
export interface OpenedView {
  readonly name: string
  readonly generation: number
  readonly checkpoint: number
  /** It is of an earlier Mint, which wrote none; the table for them is there now. */
  readonly lacksSnapshots: boolean
}

/** What the writer thread tells the main thread. */
export type WriterMessage =
  | {
      readonly type: 'opened'
      readonly head: number
      readonly sequences: SequenceNumbers
      /** Views that can be read at once; the others have to be built. */
      readonly views: readonly OpenedView[]
    }
  /** The file can't be used: one line for the user. */
  | { readonly type: 'refused'; readonly message: string }
  | BatchAnswer
  | { readonly type: 'closed' }

export interface WriterOptions {
  readonly file: string
  readonly shapes: readonly ViewShape[]
  /** The lock that this process has on the file's folder. */
  readonly lock?: Place | undefined
}

/** Asks the writer thread to open a file and to serve it through the port. */
export interface OpenRequest {
  readonly options: WriterOptions
  readonly port: MessagePort
}
