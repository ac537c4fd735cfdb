/**
 * A reader thread: runs reads that may take long. Lists and scans yield every few milliseconds, so that none blocks the
 * others; reports, which don't, have a thread of their own.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type {
  LedgerChangesPage,
  LedgerChangesQuery,
  LinesPage,
  LinesQuery,
  SumsPage,
  SumsQuery,
} from '../../../event-sourcing/ports/ledger.ts'
import type { LogScan } from '../../../event-sourcing/ports/log-scan.ts'
import { openForReading } from '../file/connection.ts'
import { type Failure, toFailure } from '../file/failures.ts'
import { prepareStatements, type Statements } from '../file/statements.ts'
import type { ListAnswer, TableQuery } from '../lists/list-query.ts'
import { createListCache, slicedList } from '../lists/sliced-list.reader.ts'
import { type ScanAnswer, scanLog } from '../log/scan.reader.ts'
import { readChanges } from '../sums/changes.reader.ts'
import { ledgerTablesOf } from '../sums/ledger-tables.ts'
import { readLines } from '../sums/lines.reader.ts'
import { createRecentSums } from '../sums/recent-sums.reader.ts'
import { readSums } from '../sums/sums.reader.ts'
import { generationOf } from '../views/stored-views.ts'
import type { ViewShape } from '../views/view-shape.ts'
import { viewTables } from '../views/view-tables.ts'

/** The kinds of reads, of a view or the log, with their queries and answers. */
export interface Reads {
  readonly scan: { readonly query: LogScan; readonly answer: ScanAnswer }
  readonly list: { readonly query: TableQuery; readonly answer: ListAnswer }
  readonly sums: { readonly query: SumsQuery; readonly answer: SumsPage }
  readonly lines: { readonly query: LinesQuery; readonly answer: LinesPage }
  readonly changes: { readonly query: LedgerChangesQuery; readonly answer: LedgerChangesPage }
}

export type ReadRequest = {
  [Kind in keyof Reads]: {
    readonly number: number
    /** Of the view; undefined for the log. */
    readonly shape: Kind extends 'scan' ? undefined : ViewShape
    readonly kind: Kind
    readonly query: Reads[Kind]['query']
  }
}[keyof Reads]

type Answer = Reads[keyof Reads]['answer']

export type ReadAnswer =
  | { readonly number: number; readonly answer: Answer }
  | { readonly number: number; readonly failure: Failure }

/** What a reader thread is started with. */
export interface ReaderOptions {
  readonly file: string
  /** How many reads run concurrently, each on its own connection with its own snapshot; the rest wait. */
  readonly connections: number
}

const CACHE_KILOBYTES = 4000
/** How long a read may run before the others get a turn, in milliseconds; quick ones finish in their first turn. */
const TURN = 4

const { file, connections } = workerData as ReaderOptions
const port = parentPort
if (!port) throw new Error('thread.reader.ts runs as a worker thread only')

const idle: Statements[] = []
const waiting: ReadRequest[] = []
const running: { readonly number: number; readonly work: Generator<undefined, Answer> }[] = []
const listCache = createListCache()
const recentSums = createRecentSums()
let scheduled = false
let closing = false

port.on('message', (message: ReadRequest | 'close') => {
  if (message === 'close') closing = true
  else waiting.push(message)
  schedule()
})

/** Gives the reads turns, round robin; new requests are received between turns. */
function schedule(): void {
  if (scheduled) return
  scheduled = true
  setImmediate(() => {
    scheduled = false
    // New reads come before those that have already had turns.
    const admitted = waiting.splice(0, connections - running.length)
    running.unshift(...admitted.map((request) => ({ number: request.number, work: readInSnapshot(request) })))
    const next = running.shift()
    if (next) step(next)
    if (running.length > 0 || waiting.length > 0) schedule()
    else if (closing) close()
  })
}

function* readInSnapshot(request: ReadRequest): Generator<undefined, Answer> {
  const statements = idle.pop() ?? prepareStatements(openForReading(file, CACHE_KILOBYTES))
  const { connection } = statements
  try {
    connection.exec('BEGIN')
    return yield* read(statements, request)
  } finally {
    // A failed engine may have ended the transaction by itself.
    if (connection.isTransaction) connection.exec('ROLLBACK')
    idle.push(statements)
  }
}

function* read(statements: Statements, request: ReadRequest): Generator<undefined, Answer> {
  if (request.kind === 'scan') return yield* scanLog(statements, request.query)
  const { shape, kind, query } = request
  // A rebuild may drop the tables meanwhile: they remain in this snapshot.
  const tables = viewTables(shape, generationOf(statements, shape.name) ?? 0)
  if (kind === 'list') return yield* slicedList(statements, tables, query, listCache)
  const ledger = { statements, tables: ledgerTablesOf(tables) }
  switch (kind) {
    case 'sums':
      return readSums(ledger, query, recentSums)
    case 'lines':
      return readLines(ledger, query, recentSums)
    case 'changes':
      return readChanges(ledger, query)
  }
}

function step(turn: (typeof running)[number]): void {
  const { number, work } = turn
  const end = performance.now() + TURN
  try {
    let slice = work.next()
    while (!slice.done && performance.now() < end) slice = work.next()
    if (slice.done) answer({ number, answer: slice.value })
    else running.push(turn)
  } catch (error) {
    answer({ number, failure: toFailure(error) })
  }
}

function answer(message: ReadAnswer): void {
  port?.postMessage(message)
}

function close(): void {
  for (const { connection } of idle) connection.close()
  port?.close()
}
