import type { CallContext } from '../../../shared/calls/call-context.ts'
import type { EarlierWrite } from '../../../shared/kinds/record-methods.ts'
import type { InvalidRow, RowRule } from './row-rule.ts'

/** A row whose cells are valid. */
export interface ValidRow<Row> {
  /** Where it begins in the file, from 1. */
  readonly line: number
  /** Which row it is, from 1. */
  readonly number: number
  readonly fields: Row
}

/** What becomes of a row whose cells are valid. */
export type RowVerdict<New> =
  | { readonly type: 'new'; readonly fields: New }
  /** An earlier request with the same key wrote it. */
  | { readonly type: 'replayed'; readonly id: number | undefined }
  | InvalidRow

/** Which row a call writes. */
export interface RowIdentity {
  /** Which row it is, from 1. */
  readonly number: number
  /** Whether no earlier request can have written it. */
  readonly isNew: boolean
}

/** The commit id and request hash that a row is written with. */
export interface RowCommit {
  readonly commitId: string
  readonly requestHash: string
}

/** The calls of one import. */
export interface ImportCalls {
  /** The context of a call that writes a row, or of the request itself. */
  readonly context: (row?: RowIdentity) => CallContext
  /** Identifies what the row writes; undefined: the request can't be repeated. */
  readonly commitOf: ((row: number) => RowCommit) | undefined
  /** Awaits a service's answer. If it is late, rejects with outcome_unknown for a write and unavailable for a read. */
  readonly inTime: <Answer>(answer: Promise<Answer>, isWrite: boolean) => Promise<Answer>
  /** Throws if the caller's key is no longer valid. */
  readonly checkKey: () => Promise<void>
}

/** Judges rows, batch by batch, by what only the services know. */
export type JudgeRows<Row, New> = (rows: readonly ValidRow<Row>[]) => Promise<readonly RowVerdict<New>[]>

/** How a kind of record is imported from CSV files. */
export interface CsvImport<Row, New> {
  readonly rule: RowRule<Row>
  /** Starts to judge the rows of one file. */
  readonly judge: (calls: ImportCalls) => Promise<JudgeRows<Row, New>>
  /** Returns what earlier requests mean for rows, in their order. */
  readonly findEarlier: (rows: readonly RowCommit[], calls: ImportCalls) => Promise<readonly EarlierWrite[]>
  readonly create: (fields: New, context: CallContext) => Promise<{ readonly replayed: boolean }>
}

/** Any kind; only its own functions see its rows. */
// biome-ignore lint/suspicious/noExplicitAny: rows are both made and taken, so no other type fits every kind
export type AnyCsvImport = CsvImport<any, any>
