import type { MessagePort } from 'node:worker_threads'
import type { AppendedBatch } from '../../../event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { createPendingOperations } from './pending-operations.ts'
import type {
  BatchAnswer,
  ResultOf,
  SequenceNumbers,
  WriteOperation,
  WriterMessage,
  WriterOptions,
} from './write-operations.ts'
import type { WriterThread } from './writer-host.ts'

/** The main thread's end of one file's writing. The thread does one batch after the other, each of all that waits. */
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
  unkept(): SequenceNumbers
  keep(marks: SequenceNumbers): void
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
  return { ...portWriter(port, lost.signal, opened.head, marks, onBatch), opened }
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

function portWriter(
  port: MessagePort,
  lost: AbortSignal,
  headAtOpen: number,
  marks: SequenceMarks,
  onBatch: ((batch: AppendedBatch) => void) | undefined,
): Writer {
  const pending = createPendingOperations(marks.unkept, (batch) => port.postMessage(batch))
  const listeners = new Set<(head: number) => void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let head = headAtOpen
  let closing: Promise<void> | undefined
  let refusal: Error | undefined

  function endBatch(answer: BatchAnswer): void {
    const operations = pending.settle(answer)
    if (answer.end.type === 'failed') return
    marks.keep(answer.sequences)
    const commits = operations.filter(({ kind }) => kind === 'append').length
    if (commits > 0) onBatch?.({ commits, milliseconds: answer.milliseconds })
    if (answer.end.head === head) return
    head = answer.end.head
    for (const listener of listeners) listener(head)
  }

  function stop(why: Error): void {
    refusal = why
    pending.giveUp(why)
    end()
  }

  async function close(beforeRelease: () => void): Promise<void> {
    refusal ??= new Error('the database is closing')
    // Behind everything that is under way, with the last numbers; when these can't be kept, they were never used.
    if (!lost.aborted) await pending.add({ kind: 'import', commits: [] }).catch(() => undefined)
    beforeRelease()
    port.postMessage('close')
    await ended
  }

  port.on('message', (message: WriterMessage) => {
    if (message.type === 'batch') endBatch(message)
    else if (message.type === 'closed') stop(new Error('the database is closed'))
  })
  onceAborted(lost, stop)

  return {
    write: (operation) => (refusal ? Promise.reject(new StoreUnavailable(refusal.message)) : pending.add(operation)),
    onHead(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close(beforeRelease) {
      closing ??= close(beforeRelease)
      await closing
    },
  }
}
