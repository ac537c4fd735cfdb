/** The reader thread: answers lists that may take long, each in slices, so that none blocks the others. */
import { parentPort, workerData } from 'node:worker_threads'
import { openForReading } from '../any-thread/connection.ts'
import { type Failure, toFailure } from '../any-thread/failures.ts'
import type { ListAnswer, TableQuery } from '../any-thread/list-query.ts'
import { prepareStatements, type Statements } from '../any-thread/statements.ts'
import { generationOf } from '../any-thread/stored-views.ts'
import type { ViewShape } from '../any-thread/view-shape.ts'
import { viewTables } from '../any-thread/view-tables.ts'
import { createRelatedAnswers, relatedList } from './related-list.ts'
import { createAnsweredQuestions, slicedList } from './sliced-list.ts'

export interface ReadRequest {
  readonly number: number
  readonly shape: ViewShape
  readonly query: TableQuery
}

export type ReadAnswer =
  | { readonly number: number; readonly page: ListAnswer }
  | { readonly number: number; readonly failure: Failure }

/** How many lists are read concurrently, each on its own connection with its own snapshot; the rest wait. */
const CONNECTIONS = 16
const CACHE_KILOBYTES = 4000
/** How long a list may run before the others get a turn, in milliseconds; quick ones end in their first turn. */
const TURN = 4

const { file } = workerData as { file: string }
const port = parentPort
if (!port) throw new Error('reader-thread.ts runs as a worker thread only')

const idle: Statements[] = []
const waiting: ReadRequest[] = []
const running: { request: ReadRequest; statements: Statements; list: Generator<undefined, ListAnswer> }[] = []
const answered = createAnsweredQuestions()
const answers = createRelatedAnswers()
let scheduled = false
let closing = false

port.on('message', (message: ReadRequest | 'close') => {
  if (message === 'close') closing = true
  else waiting.push(message)
  schedule()
})

/** Gives each list a turn in rotation; new requests are received between turns. */
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

/** Puts new lists before those that have already had turns. */
function admit(): void {
  while (waiting.length > 0 && running.length < CONNECTIONS) {
    const request = waiting.shift()
    if (!request) return
    try {
      const statements = idle.pop() ?? prepareStatements(openForReading(file, CACHE_KILOBYTES))
      running.unshift({ request, statements, list: listInSnapshot(statements, request) })
    } catch (error) {
      answer({ number: request.number, failure: toFailure(error) })
    }
  }
}

function* listInSnapshot(statements: Statements, { shape, query }: ReadRequest): Generator<undefined, ListAnswer> {
  statements.connection.exec('BEGIN')
  // A rebuild may drop the tables meanwhile: they remain in this snapshot.
  const generation = generationOf(statements, shape.name) ?? 0
  const tables = viewTables(shape, generation)
  const { related } = query
  if (related) return yield* relatedList(statements, tables, { ...query, related }, { answered, answers })
  return yield* slicedList(statements, tables, query, answered)
}

function step(turn: (typeof running)[number]): void {
  const end = performance.now() + TURN
  try {
    let slice = turn.list.next()
    while (!slice.done && performance.now() < end) slice = turn.list.next()
    if (!slice.done) {
      running.push(turn)
      return
    }
    answer({ number: turn.request.number, page: slice.value })
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
