import type { MessagePort } from 'node:worker_threads'
import type { AppendedBatch } from '../../../event-sourcing/ports/database.ts'
import type { SequenceNumbers } from '../sequence.main.ts'
import { createPendingOperations } from './pending-operations.main.ts'
import {
  type AppendOperation,
  type AppendResult,
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
  const pending = createPendingOperations((operations) => {
    port.postMessage({ operations, sequences } satisfies WriteBatch)
  })
  const wakers = new Set<() => void>()
  const opened = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()

  function stop(why: Error): void {
    stopListening()
    pending.giveUp(why)
    opened.reject(why)
    stopped.resolve()
  }

  const stopListening = thread.onEnd(stop)
  port.on('message', (message: WriterMessage) => {
    if (message.type === 'ended') return stop(new Error(message.why))
    if (message.type === 'opened') {
      for (const [category, last] of message.sequences) sequences.set(category, last)
      return opened.resolve()
    }
    const commits = pending.settle(message.ends).filter(({ kind }) => kind === 'append').length
    if (commits === 0 || message.ends.every((end) => 'failure' in end)) return
    onBatch?.({ commits, milliseconds: message.milliseconds })
    for (const wake of wakers) wake()
  })
  await opened.promise
  return createWriter(port, { pending, wakers, stopped: stopped.promise })
}

interface WriterParts {
  readonly pending: ReturnType<typeof createPendingOperations>
  /** Called after each batch with appends. */
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
  const write = (operation: OtherOperation) => pending.add(operation) as Promise<SqlRow | undefined>

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
    /** Calls `wake` after each batch with appends. Returns a function that unsubscribes. */
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
