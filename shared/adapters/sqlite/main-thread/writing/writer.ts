import type { MessagePort } from 'node:worker_threads'
import type { AppendedBatch } from '../../../../event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../../../event-sourcing/ports/event-store.ts'
import {
  type AppendOperation,
  type AppendResult,
  type BatchAnswer,
  NO_OP,
  type OtherOperation,
  type SqlRow,
  type WriteBatch,
  type WriteOperation,
  type WriteResult,
  type WriterMessage,
  type WriterOptions,
} from '../../any-thread/write-operations.ts'
import type { SequenceNumbers } from '../sequence.ts'
import { createPendingOperations } from './pending-operations.ts'
import type { WriterThread } from './writer-host.ts'

/** Writes one file through its thread, which executes one batch at a time: everything that is waiting by then. */
export type Writer = Awaited<ReturnType<typeof startWriter>>

type Opened = Extract<WriterMessage, { type: 'opened' }>

/**
 * Opens a file for writing in a thread. `sequences` gets the numbers stored in the file, and its numbers are stored with
 * each batch. Throws a one-line Error when the file can't be used.
 */
export async function startWriter(
  thread: WriterThread,
  options: WriterOptions,
  sequences: SequenceNumbers,
  onBatch?: (batch: AppendedBatch) => void,
) {
  const port = thread.open(options)
  const opened = await new Promise<Opened>((resolve, reject) => {
    const stopListening = thread.onEnd(reject)
    port.once('message', (message: WriterMessage) => {
      stopListening()
      if (message.type === 'opened') resolve(message)
      else reject(new Error(message.type === 'refused' ? message.message : `unexpected ${message.type}`))
    })
  })
  for (const [category, last] of opened.sequences) sequences.set(category, last)
  const writer = portWriter(port, opened.head, sequences, onBatch)
  writer.stopped.then(thread.onEnd(writer.stop))
  return writer
}

function portWriter(
  port: MessagePort,
  headAtOpen: number,
  sequences: SequenceNumbers,
  onBatch: ((batch: AppendedBatch) => void) | undefined,
) {
  const pending = createPendingOperations((operations) => {
    port.postMessage({ operations, sequences } satisfies WriteBatch)
  })
  const listeners = new Set<(head: number) => void>()
  const { promise: stopped, resolve: endWaiting } = Promise.withResolvers<void>()
  let head = headAtOpen
  let closing: Promise<void> | undefined
  let refusal: Error | undefined
  let held: Promise<void> | undefined

  async function add(operation: WriteOperation): Promise<WriteResult> {
    if (refusal) throw new StoreUnavailable(refusal.message)
    return await pending.add(operation)
  }

  /**
   * Executes an operation durably, in one transaction with those waiting at the same time. Throws StoreUnavailable when
   * nothing was written, OutcomeUnknown when it is not known. Returns the first row of a statement.
   */
  async function write(operation: OtherOperation): Promise<SqlRow | undefined> {
    const result = await add(operation)
    return result.type === 'done' ? result.row : undefined
  }

  /** The same for a commit. */
  async function append(operation: AppendOperation): Promise<AppendResult> {
    const result = await add(operation)
    if (result.type !== 'done') return result
    throw new Error('the writer thread took an append for another operation')
  }

  function endBatch(answer: BatchAnswer): void {
    const operations = pending.settle(answer)
    if (answer.end.type === 'failed') return
    const commits = operations.filter(({ kind }) => kind === 'append').length
    if (commits > 0) onBatch?.({ commits, milliseconds: answer.milliseconds })
    if (answer.end.head === head) return
    head = answer.end.head
    for (const listener of listeners) listener(head)
  }

  function stop(why: Error): void {
    refusal = why
    pending.giveUp(why)
    endWaiting()
  }

  async function close(beforeRelease: () => void): Promise<void> {
    const isLost = refusal !== undefined
    refusal ??= new Error('the database is closing')
    // After everything in progress, with the last numbers; if these can't be stored, they were never used.
    if (!isLost) await pending.add(NO_OP).catch(() => undefined)
    beforeRelease()
    port.postMessage('close')
    await stopped
  }

  port.on('message', (message: WriterMessage) => {
    if (message.type === 'batch') endBatch(message)
    else if (message.type === 'closed') stop(new Error('the database is closed'))
  })

  return {
    write,
    append,
    /** Settles everything in progress, because the thread has ended and will answer no more. */
    stop,
    /** Resolves once the file is closed, or the thread has ended. */
    stopped,
    /** Waits until every operation requested so far has ended, in success or failure, held appends included. */
    async settled(): Promise<void> {
      while (held) await held.catch(() => undefined)
      await pending.settled()
    },
    /** What an append must wait for before it is sent; undefined: nothing. */
    appendsHeld: () => held?.catch(() => undefined),
    /** Runs `work` once all appends sent so far have ended, while new ones wait. */
    async holdAppends(work: () => Promise<void>): Promise<void> {
      while (held) await held.catch(() => undefined)
      // It ends after every append sent before it.
      held = write(NO_OP)
        .then(work)
        .finally(() => {
          held = undefined
        })
      await held
    },
    /** Calls `listener` with the log's head after each batch that moved it. Returns the function that ends it. */
    onHead(listener: (head: number) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /**
     * Waits for operations in progress, calls `beforeRelease`, then closes the file: as its last connection, it moves
     * the write-ahead log into it. Later operations are refused.
     */
    async close(beforeRelease: () => void): Promise<void> {
      closing ??= close(beforeRelease)
      await closing
    },
  }
}
