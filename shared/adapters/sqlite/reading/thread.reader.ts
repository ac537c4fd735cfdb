/**
 * A reader thread: runs reads that may take long. Lists and scans yield every few milliseconds, so that none blocks the
 * others; reports, which don't, have a thread of their own.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { LedgerChangesQuery, LinesQuery, SumsQuery } from '../../../event-sourcing/ports/ledger.ts'
import { openForReading } from '../file/connection.ts'
import { type Failure, toFailure } from '../file/failures.ts'
import { prepareStatements, type Statements } from '../file/statements.ts'
import type { TableQuery } from '../lists/list-query.ts'
import { createListCache, slicedList } from '../lists/sliced-list.reader.ts'
import { scanLog } from '../log/scan.reader.ts'
import { readChanges } from '../sums/changes.reader.ts'
import { ledgerTablesOf } from '../sums/ledger-tables.ts'
import { readLines } from '../sums/lines.reader.ts'
import { createRecentSums, readSums } from '../sums/sums.reader.ts'
import { generationOf } from '../views/stored-views.ts'
import type { ViewShape } from '../views/view-shape.ts'
import { type ViewTables, viewTables } from '../views/view-tables.ts'

const listCache = createListCache()
const recentSums = createRecentSums()

const ledgerOf = (statements: Statements, tables: ViewTables) => ({ statements, tables: ledgerTablesOf(tables) })

/** The kinds of reads; all but scans are of a view. Those that yield give others a turn. */
const reads = {
  scan: scanLog,
  list: (statements: Statements, query: TableQuery, tables: ViewTables) =>
    slicedList(statements, tables, query, listCache),
  sums: (statements: Statements, query: SumsQuery, tables: ViewTables) =>
    readSums(ledgerOf(statements, tables), query, recentSums),
  lines: (statements: Statements, query: LinesQuery, tables: ViewTables) =>
    readLines(ledgerOf(statements, tables), query, recentSums),
  changes: (statements: Statements, query: LedgerChangesQuery, tables: ViewTables) =>
    readChanges(ledgerOf(statements, tables), query),
}

type Reads = typeof reads
export type ReadKind = keyof Reads
export type QueryOf<Kind extends ReadKind> = Parameters<Reads[Kind]>[1]
export type AnswerOf<Kind extends ReadKind> =
  ReturnType<Reads[Kind]> extends Generator<undefined, infer Answer> ? Answer : ReturnType<Reads[Kind]>

export interface ReadRequest {
  readonly number: number
  readonly kind: ReadKind
  readonly query: QueryOf<ReadKind>
  /** Of the view; undefined for the log. */
  readonly shape: ViewShape | undefined
}

export type ReadAnswer = { readonly number: number } & (
  | { readonly answer: AnswerOf<ReadKind> }
  | { readonly failure: Failure }
)

/** What a reader thread is started with. */
export interface ReaderOptions {
  readonly file: string
  /** How many reads run concurrently, each on its own connection with its own snapshot; the rest wait. */
  readonly connections: number
}

/** Of each connection. Scans don't benefit from more, which the system's own cache then lacks. */
const CACHE_KILOBYTES = 1000
/** How long a read may run before the others get a turn, in milliseconds; quick ones finish in their first turn. */
const TURN = 4

const { file, connections } = workerData as ReaderOptions
const port = parentPort
if (!port) throw new Error('thread.reader.ts runs as a worker thread only')

const idle: Statements[] = []
const waiting: ReadRequest[] = []
const running: { readonly number: number; readonly work: Generator<undefined, unknown> }[] = []
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

function* readInSnapshot({ kind, query, shape }: ReadRequest): Generator<undefined, unknown> {
  const statements = idle.pop() ?? prepareStatements(openForReading(file, CACHE_KILOBYTES))
  const { connection } = statements
  const read = reads[kind] as (statements: Statements, query: unknown, tables?: ViewTables) => object
  try {
    connection.exec('BEGIN')
    // A rebuild may drop the tables meanwhile: they remain in this snapshot.
    const tables = shape && viewTables(shape, generationOf(statements, shape.name) ?? 0)
    const found = read(statements, query, tables)
    return Symbol.iterator in found ? yield* found as Generator<undefined> : found
  } finally {
    // A failed engine may have ended the transaction by itself.
    if (connection.isTransaction) connection.exec('ROLLBACK')
    idle.push(statements)
  }
}

function step(turn: (typeof running)[number]): void {
  const { number, work } = turn
  const end = performance.now() + TURN
  try {
    let slice = work.next()
    while (!slice.done && performance.now() < end) slice = work.next()
    if (slice.done) port?.postMessage({ number, answer: slice.value })
    else running.push(turn)
  } catch (error) {
    port?.postMessage({ number, failure: toFailure(error) } satisfies ReadAnswer)
  }
}

function close(): void {
  for (const { connection } of idle) connection.close()
  port?.close()
}
