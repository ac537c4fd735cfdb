/** The reader thread: runs reads that may take long, each in slices, so that none blocks the others. */
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
import { takeNext } from './waiting-reads.reader.ts'

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

/** How many reads run concurrently, each on its own connection with its own snapshot; the rest wait. */
const MAX_CONNECTIONS = 16
const CACHE_KILOBYTES = 4000
/** How long a read may run before the others get a turn, in milliseconds; quick ones finish in their first turn. */
const TURN = 4

const { file } = workerData as { file: string }
const port = parentPort
if (!port) throw new Error('thread.reader.ts runs as a worker thread only')

const idle: Statements[] = []
const waiting: ReadRequest[] = []
const running: { request: ReadRequest; statements: Statements; work: Generator<undefined, Answer> }[] = []
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
    admit()
    const next = running.shift()
    if (next) step(next)
    if (running.length > 0 || waiting.length > 0) schedule()
    else if (closing) close()
  })
}

/** Puts new reads ahead of those that have already had turns. */
function admit(): void {
  while (running.length < MAX_CONNECTIONS) {
    const kinds = running.map(({ request }) => request.kind)
    const request = takeNext(waiting, kinds)
    if (!request) return
    try {
      const statements = idle.pop() ?? prepareStatements(openForReading(file, CACHE_KILOBYTES))
      running.unshift({ request, statements, work: readInSnapshot(statements, request) })
    } catch (error) {
      answer({ number: request.number, failure: toFailure(error) })
    }
  }
}

function* readInSnapshot(statements: Statements, request: ReadRequest): Generator<undefined, Answer> {
  statements.connection.exec('BEGIN')
  if (request.kind === 'scan') return yield* scanLog(statements, request.query)
  const { shape, kind, query } = request
  // A rebuild may drop the tables meanwhile: they remain in this snapshot.
  const tables = viewTables(shape, generationOf(statements, shape.name) ?? 0)
  if (kind === 'list') return yield* slicedList(statements, tables, query, listCache)
  const ledger = { statements, tables: ledgerTablesOf(tables) }
  switch (kind) {
    case 'sums':
      return yield* readSums(ledger, query, recentSums)
    case 'lines':
      return yield* readLines(ledger, query, recentSums)
    case 'changes':
      return yield* readChanges(ledger, query)
  }
}

function step(turn: (typeof running)[number]): void {
  const end = performance.now() + TURN
  try {
    let slice = turn.work.next()
    while (!slice.done && performance.now() < end) slice = turn.work.next()
    if (!slice.done) {
      running.push(turn)
      return
    }
    answer({ number: turn.request.number, answer: slice.value })
  } catch (error) {
    answer({ number: turn.request.number, failure: toFailure(error) })
  }
  const { connection } = turn.statements
  if (connection.isTransaction) connection.exec('ROLLBACK')
  idle.push(turn.statements)
}

function answer(message: ReadAnswer): void {
  port?.postMessage(message)
}

function close(): void {
  for (const { connection } of idle) connection.close()
  port?.close()
}
