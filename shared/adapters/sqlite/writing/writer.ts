import type { MessagePort } from 'node:worker_threads'
import type { AppendedBatch } from '../../../event-sourcing/database.ts'
import { StoreUnavailable } from '../../../event-sourcing/event-store.ts'
import { type Failure, isEngineFailure, unavailable } from '../failures.ts'
import type { BatchEnd, ResultOf, WriteOperation, WriterMessage, WriterOptions } from './write-operations.ts'
import type { WriterThread } from './writer-host.ts'

/** At most so many operations go into one transaction, and about so many characters of JSON text. */
const OPERATIONS_PER_BATCH = 512
const CHARACTERS_PER_BATCH = 1_000_000

/** The main thread's end of one file's writing: group commit, one batch in flight. */
export interface Writer {
  /**
   * Does one operation durably, in one transaction with those that wait at the same time. Throws StoreUnavailable when
   * nothing was written, OutcomeUnknown when that can't be told.
   */
  write<Operation extends WriteOperation>(operation: Operation): Promise<ResultOf<Operation>>
  /** Calls `listener` with the log's head after each batch that moved it. Returns the function that ends it. */
  onHead(listener: (head: number) => void): () => void
  /**
   * Waits for what is under way, calls `beforeRelease`, then lets go of the file: as the last connection it empties the
   * write-ahead log into it. Operations after it are refused.
   */
  close(beforeRelease: () => void): Promise<void>
}

/** What the writer found in the file. */
export type Opened = Extract<WriterMessage, { type: 'opened' }>

/** Numbers handed out from memory: they become durable with the next batch, so before or with the first use of each. */
export interface SequenceMarks {
  /** The last number of each sequence that moved since it was last kept. */
  unkept(): readonly (readonly [category: string, last: number])[]
  keep(marks: readonly (readonly [category: string, last: number])[]): void
}

/** The operation may have been written or not. */
export class OutcomeUnknown extends Error {
  constructor(failure: Failure) {
    super(`the write may have happened or not: ${failure.message}`, { cause: failure })
    this.name = 'OutcomeUnknown'
  }
}

interface Waiting {
  readonly operation: WriteOperation
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

/**
 * Opens a file for writing in a thread. Throws an Error of one line when the file can't be used.
 */
export async function startWriter(
  thread: WriterThread,
  options: WriterOptions,
  marks: SequenceMarks,
  onBatch?: (batch: AppendedBatch) => void,
): Promise<Writer & { opened: Opened }> {
  const lost = new AbortController()
  const port = thread.open(options, (why) => lost.abort(why))
  const opened = await firstMessage(port, lost.signal)
  return { ...batchingWriter(port, lost.signal, opened.head, marks, onBatch), opened }
}

function firstMessage(port: MessagePort, lost: AbortSignal): Promise<Opened> {
  return new Promise((resolve, reject) => {
    onceAborted(lost, reject)
    port.once('message', (message: WriterMessage) => {
      if (message.type === 'opened') resolve(message)
      else reject(new Error(message.type === 'refused' ? message.message : `unexpected ${message.type}`))
    })
  })
}

function onceAborted(signal: AbortSignal, tell: (why: Error) => void): void {
  if (signal.aborted) tell(signal.reason)
  else signal.addEventListener('abort', () => tell(signal.reason), { once: true })
}

function batchingWriter(
  port: MessagePort,
  lost: AbortSignal,
  headAtOpen: number,
  marks: SequenceMarks,
  onBatch: ((batch: AppendedBatch) => void) | undefined,
): Writer {
  let waiting: Waiting[] = []
  let inFlight: { batch: readonly Waiting[]; marks: readonly (readonly [string, number])[]; begun: number } | undefined
  let head = headAtOpen
  let scheduled = false
  let closing: { beforeRelease: () => void; ended: Promise<void>; resolve: () => void } | undefined
  let stopped: Error | undefined
  const listeners = new Set<(head: number) => void>()

  function sendNext(): void {
    scheduled = false
    if (inFlight || stopped) return
    const unkept = marks.unkept()
    const isLast = closing !== undefined && waiting.length === 0
    if (isLast && unkept.length === 0) {
      closing?.beforeRelease()
      port.postMessage('close')
      return
    }
    if (waiting.length === 0 && !isLast) return
    const batch = waiting.splice(0, sizeOfBatch(waiting))
    inFlight = { batch, marks: unkept, begun: performance.now() }
    port.postMessage({ operations: batch.map(({ operation }) => operation), sequences: unkept })
  }

  // Not at once: what arrives in the same turn of the event loop goes together.
  function schedule(): void {
    if (scheduled || inFlight) return
    scheduled = true
    setImmediate(sendNext)
  }

  function endBatch(end: BatchEnd): void {
    const ended = inFlight
    inFlight = undefined
    if (!ended) return
    if (end.type === 'done') marks.keep(ended.marks)
    // A close whose marks can't be kept must not try for ever: the numbers were never used.
    else if (closing && waiting.length === 0) marks.keep(ended.marks)
    settle(ended.batch, end)
    const commits = end.type === 'done' && onBatch ? countAppends(ended.batch) : 0
    if (commits > 0) onBatch?.({ commits, milliseconds: performance.now() - ended.begun })
    if (end.type === 'done' && end.head !== head) {
      head = end.head
      for (const listener of listeners) listener(head)
    }
    if (waiting.length > 0 || closing) schedule()
  }

  function stop(error: Error): void {
    stopped ??= error
    for (const { reject } of inFlight?.batch ?? []) reject(new OutcomeUnknown({ message: error.message }))
    for (const { reject } of waiting) reject(new StoreUnavailable(error.message))
    inFlight = undefined
    waiting = []
    closing?.resolve()
  }

  port.on('message', (message: WriterMessage) => {
    if (message.type === 'done' || message.type === 'failed') endBatch(message)
    else if (message.type === 'closed') stop(new Error('the database is closed'))
  })
  onceAborted(lost, stop)

  return {
    write: (operation) =>
      new Promise((resolve, reject) => {
        if (stopped || closing) return reject(new StoreUnavailable(stopped?.message ?? 'the database is closing'))
        waiting.push({ operation, resolve, reject })
        schedule()
      }),
    onHead(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close(beforeRelease) {
      if (stopped && !closing) beforeRelease()
      if (stopped) return
      if (!closing) {
        const { promise, resolve } = Promise.withResolvers<void>()
        closing = { beforeRelease, ended: promise, resolve }
        schedule()
      }
      await closing.ended
    },
  }
}

/** How many of the waiting operations go into the next batch: at least one. */
function sizeOfBatch(waiting: readonly Waiting[]): number {
  let characters = 0
  for (const [index, { operation }] of waiting.slice(0, OPERATIONS_PER_BATCH).entries()) {
    characters += roughSize(operation)
    if (characters > CHARACTERS_PER_BATCH) return Math.max(1, index)
  }
  return Math.min(waiting.length, OPERATIONS_PER_BATCH)
}

function countAppends(batch: readonly Waiting[]): number {
  return batch.filter(({ operation }) => operation.kind === 'append').length
}

function roughSize(operation: WriteOperation): number {
  if (operation.kind !== 'append') return 1000
  const events = operation.events.reduce((sum, [, data]) => sum + data.length, 0)
  return operation.rows.reduce((sum, [, row]) => sum + row.state.length, events)
}

function settle(batch: readonly Waiting[], end: BatchEnd): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const operation = end.type === 'done' ? end.ends[index] : end
    if (operation && 'result' in operation) resolve(operation.result as never)
    else if (end.type === 'failed' && !end.certain) reject(new OutcomeUnknown(end.failure))
    else reject(portError(operation?.failure ?? { message: 'the writer gave no answer' }))
  }
}

function portError(failure: Failure): Error {
  return isEngineFailure(failure) ? unavailable(failure) : new Error(failure.message)
}
