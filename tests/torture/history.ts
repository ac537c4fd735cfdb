import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ClientNames, ClosingHistory, EndState, FeedAtEnd, RecordHistory } from './history-at-end.ts'
import type { GetClosing, SetClosing } from './history-of-closings.ts'
import type { Changes, Report } from './history-of-reports.ts'

/** Milliseconds since the run began, on a monotonic clock. */
export type Moment = number

/** The fields of a contract that the checks track: its name is never edited, the others are. */
export interface Values {
  readonly serviceName: string
  readonly serviceType: string
  readonly notes: string
  readonly serviceDate: string
}

/** A row of a list. */
export interface Row extends Values {
  readonly id: number
  /** In milliseconds since the epoch, by the clock of the process that created it. */
  readonly createdAt: number
}

/** A record with its version. */
export interface VersionedRow extends Row {
  readonly version: number
}

/**
 * ok: acknowledged. failed: certainly not carried out, now or later. unknown: carried out once or not at all; `return`
 * is when the caller gave up.
 */
export type Outcome = 'ok' | 'failed' | 'unknown'

export interface Invocation {
  readonly call: Moment
  readonly return: Moment
  /** The gateway that answered, or got the last attempt; numbers after the gateways are contracts processes. */
  readonly gateway: number
  /** The last answer: `201`, `503 unavailable`; `refused` or `broken` without one. */
  readonly status: string
}

/** Why the state that a write found can refuse it. A refused write never takes effect. */
export type Refusal = 'precondition_failed' | 'not_found' | 'period_closed'

export interface Create extends Invocation {
  readonly type: 'create'
  readonly outcome: Outcome
  readonly asked: Values
  /** Whether it had an Idempotency-Key, and was retried until its outcome was known. */
  readonly keyed: boolean
  readonly refusal?: Refusal
  readonly record?: VersionedRow
}

export interface Edit extends Invocation {
  readonly type: 'edit'
  readonly outcome: Outcome
  readonly id: number
  readonly changes: Partial<Values>
  readonly ifMatch?: number
  readonly refusal?: Refusal
  readonly record?: VersionedRow
}

/** A no-op edit, whatever the record's state: its answer is the current record. */
export interface Touch extends Omit<Edit, 'type' | 'changes'> {
  readonly type: 'touch'
}

export interface Get extends Invocation {
  readonly type: 'get'
  readonly id: number
  /** null: the answer was that it doesn't exist. */
  readonly record: VersionedRow | null
}

export interface List extends Invocation {
  readonly type: 'list'
  /** The search; undefined for a list of all. */
  readonly search?: string
  readonly total: number
  readonly rows: readonly Row[]
}

/** A search for a word that only one record has ever had. */
export interface Find extends Invocation {
  readonly type: 'find'
  readonly id: number
  readonly word: string
  readonly row: Row | null
}

/** A read without an answer. */
interface FailedRead extends Invocation {
  readonly type: 'failed-read'
  readonly of: 'get' | 'list' | 'find' | 'get-closing' | 'report' | 'changes'
}

type Operation = Create | Edit | Touch | Get | List | Find | SetClosing | GetClosing | Report | Changes | FailedRead

/** `mint verify`, an import or another command on the command line. `status`: its exit code. */
export interface Command extends Invocation {
  readonly type: 'command'
  readonly name: string
  readonly output: string
}

/** A business that was created, or whose outcome is unknown; only counted at the end. */
export interface BusinessCreate extends Invocation {
  readonly type: 'business'
  readonly outcome: Outcome
  readonly legalName: string
}

export interface Fault {
  readonly type: 'fault'
  readonly name: string
  readonly details: string
  readonly begins: Moment
  readonly ends: Moment
}

/**
 * A deposed primary, unaware of it, could have served reads through these gateways from `begins` to `ends`, with the
 * state as of `from` or later.
 */
export interface Deposed {
  readonly type: 'deposed'
  readonly from: Moment
  readonly begins: Moment
  readonly ends: Moment
  readonly gateways: readonly number[]
}

export type Entry =
  | Operation
  | BusinessCreate
  | Command
  | Fault
  | Deposed
  | EndState
  | FeedAtEnd
  | RecordHistory
  | ClosingHistory
  | ClientNames

/** Entries by kind, in the file's order. */
export type History = { readonly [Type in Entry['type']]: readonly Extract<Entry, { type: Type }>[] }

/** Sorts entries by kind. */
export function historyOf(entries: Iterable<Entry>): History {
  const sorted: Record<Entry['type'], Entry[]> = {
    create: [],
    edit: [],
    touch: [],
    get: [],
    list: [],
    find: [],
    'set-closing': [],
    'get-closing': [],
    report: [],
    changes: [],
    'failed-read': [],
    business: [],
    command: [],
    fault: [],
    deposed: [],
    end: [],
    'record-history': [],
    'closing-history': [],
    feed: [],
    'client-names': [],
  }
  for (const entry of entries) sorted[entry.type].push(entry)
  return sorted as unknown as History
}

/** Reads a file with one entry per line. */
export async function readHistory(file: string): Promise<History> {
  const entries: Entry[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) entries.push(JSON.parse(line))
  return historyOf(entries)
}
