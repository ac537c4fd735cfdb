import type { MessagePort } from 'node:worker_threads'
import type { AppendedBatch } from '../../../event-sourcing/ports/database.ts'
import type { SequenceNumbers } from '../sequence.main.ts'
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

/** Writes to one file through the writer thread, which executes one batch at a time: everything that is waiting. */
export type Writer = Awaited<ReturnType<typeof startWriter>>

type Opened = Extract<WriterMessage, { type: 'opened' }>

/**
 * Opens a file for writing in a thread. Fills `sequences` with the numbers stored in the file, and stores its numbers
 * with each batch. Throws a one-line Error when the file can't be used.
 */
export async function startWriter(
  thread: WriterThread,
  options: WriterOptions,
  sequences: SequenceNumbers,
  onBatch?: (batch: AppendedBatch) => void,
) {
  const port = thread.open(options)
  const opened = await openedBy(thread, port)
  for (const [category, last] of opened.sequences) sequences.set(category, last)
  const pending = createPendingOperations((operations) => {
    port.postMessage({ operations, sequences } satisfies WriteBatch)
  })
  const wakers = new Set<() => void>()
  let { head } = opened

  function endBatch({ size, end, milliseconds }: BatchAnswer): void {
    const operations = pending.settle(size, end)
    if (end.type === 'failed') return
    const commits = operations.filter(({ kind }) => kind === 'append').length
    if (commits > 0) onBatch?.({ commits, milliseconds })
    if (end.head === head) return
    head = end.head
    for (const wake of wakers) wake()
  }

  const stopped = new Promise<void>((resolve) => {
    function stop(why: Error): void {
      pending.giveUp(why)
      stopListening()
      resolve()
    }
    const stopListening = thread.onEnd(stop)
    port.on('message', (message: WriterMessage) => {
      if (message.type === 'batch') endBatch(message)
      else if (message.type === 'closed') stop(new Error('the database is closed'))
    })
  })
  return createWriter(port, { pending, wakers, stopped })
}

async function openedBy(thread: WriterThread, port: MessagePort): Promise<Opened> {
  return await new Promise((resolve, reject) => {
    const stopListening = thread.onEnd(reject)
    port.once('message', (message: WriterMessage) => {
      stopListening()
      if (message.type === 'opened') resolve(message)
      else reject(new Error(message.type === 'refused' ? message.message : `unexpected ${message.type}`))
    })
  })
}

interface WriterParts {
  readonly pending: ReturnType<typeof createPendingOperations>
  /** Called after each batch that moved the log's head. */
  readonly wakers: Set<() => void>
  /** Resolves once the file is closed, or the thread has ended. */
  readonly stopped: Promise<void>
}

function createWriter(port: MessagePort, { pending, wakers, stopped }: WriterParts) {
  let held: Promise<void> | undefined
  let closing: Promise<void> | undefined

  /**
   * Executes an operation durably, in one transaction with those waiting at the same time. Throws StoreUnavailable when
   * nothing was written, and OutcomeUnknown when that isn't known. Returns the first row of a statement.
   */
  async function write(operation: OtherOperation): Promise<SqlRow | undefined> {
    const result = await pending.add(operation)
    return result.type === 'done' ? result.row : undefined
  }

  async function closeOnce(beforeRelease: () => void): Promise<void> {
    // Runs after everything in progress, and stores the last numbers; if that fails, they were never used.
    const last = write(NO_OP).catch(() => undefined)
    pending.refuse(new Error('the database is closing'))
    await last
    beforeRelease()
    port.postMessage('close')
    await stopped
  }

  return {
    write,
    /** Like `write`, for a commit. */
    append: (operation: AppendOperation) => pending.add(operation) as Promise<AppendResult>,
    /** What an append must await before it is sent; undefined: nothing. */
    appendsHeld: () => held,
    /** Runs `work` once all appends sent so far have ended; new ones wait until it has finished. */
    async holdAppends(work: () => Promise<void>): Promise<void> {
      while (held) await held
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      try {
        // It ends after every append sent before it.
        await write(NO_OP)
        await work()
      } finally {
        held = undefined
        resolve()
      }
    },
    /** Waits until every operation requested so far has ended, in success or failure, held appends included. */
    async settled(): Promise<void> {
      while (held) await held
      await pending.settled()
    },
    /** Calls `wake` after each batch that moved the log's head. Returns a function that unsubscribes. */
    onAppended(wake: () => void) {
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
    /**
     * Waits for operations in progress, calls `beforeRelease`, then closes the file: as its last connection, it moves
     * the write-ahead log into it. Later operations are refused.
     */
    async close(beforeRelease: () => void): Promise<void> {
      closing ??= closeOnce(beforeRelease)
      await closing
    },
  }
}
