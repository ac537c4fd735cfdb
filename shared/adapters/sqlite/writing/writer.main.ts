import type { MessagePort } from 'node:worker_threads'
import type { AppendedBatch } from '../../../event-sourcing/ports/database.ts'
import type { SequenceNumbers } from '../sequence.main.ts'
import { createAppendHold } from './append-hold.main.ts'
import { createPendingOperations } from './pending-operations.main.ts'
import {
  type AppendOperation,
  type AppendResult,
  type BatchAnswer,
  NO_OP,
  type OtherOperation,
  type SqlRow,
  type WriteBatch,
  type WriterMessage,
  type WriterOptions,
} from './write-operations.ts'
import type { WriterThread } from './writer-host.main.ts'

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
  let head = headAtOpen
  // It ends after every append sent before it.
  const hold = createAppendHold(() => write(NO_OP))
  const ending = createEnding(port, pending)

  /**
   * Executes an operation durably, in one transaction with those waiting at the same time. Throws StoreUnavailable when
   * nothing was written, OutcomeUnknown when it is not known. Returns the first row of a statement.
   */
  async function write(operation: OtherOperation): Promise<SqlRow | undefined> {
    const result = await pending.add(operation)
    return result.type === 'done' ? result.row : undefined
  }

  /** The same for a commit. */
  async function append(operation: AppendOperation): Promise<AppendResult> {
    const result = await pending.add(operation)
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

  port.on('message', (message: WriterMessage) => {
    if (message.type === 'batch') endBatch(message)
    else if (message.type === 'closed') ending.stop(new Error('the database is closed'))
  })

  return {
    write,
    append,
    ...ending,
    /** Waits until every operation requested so far has ended, in success or failure, held appends included. */
    async settled(): Promise<void> {
      await hold.released()
      await pending.settled()
    },
    appendsHeld: hold.appendsHeld,
    holdAppends: hold.holdAppends,
    /** Calls `listener` with the log's head after each batch that moved it. Returns the function that ends it. */
    onHead(listener: (head: number) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type PendingOperations = ReturnType<typeof createPendingOperations>

/** How the writing of a file ends. */
function createEnding(port: MessagePort, pending: PendingOperations) {
  const { promise: stopped, resolve: endWaiting } = Promise.withResolvers<void>()
  let closing: Promise<void> | undefined

  async function close(beforeRelease: () => void): Promise<void> {
    // After everything in progress, with the last numbers; if these can't be stored, they were never used.
    const last = pending.add(NO_OP).catch(() => undefined)
    pending.refuse(new Error('the database is closing'))
    await last
    beforeRelease()
    port.postMessage('close')
    await stopped
  }

  return {
    /** Settles everything in progress, because the thread has ended and will answer no more. */
    stop(why: Error): void {
      pending.giveUp(why)
      endWaiting()
    },
    /** Resolves once the file is closed, or the thread has ended. */
    stopped,
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
