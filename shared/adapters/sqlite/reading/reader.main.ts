import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { portError } from '../file/failures.ts'
import type { ViewShape } from '../views/view-shape.ts'
import type { AnswerOf, QueryOf, ReadAnswer, ReaderOptions, ReadKind, ReadRequest } from './thread.reader.ts'

/** The main thread's end of a reader thread, which is started by the first read that needs it. */
export type Reader = ReturnType<typeof createReader>

/** A reader of a file, in a thread of this name; it costs nothing until its first query. */
export function createReader(name: string, options: ReaderOptions) {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let worker: Worker | undefined
  let lastNumber = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(new URL('./thread.reader.ts', import.meta.url), {
      workerData: options,
      name,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    started.on('message', (answer: ReadAnswer) => {
      const waiting = pending.get(answer.number)
      pending.delete(answer.number)
      if ('answer' in answer) waiting?.resolve(answer.answer)
      else waiting?.reject(portError(answer.failure))
    })
    started.on('error', (error) => abandon(started, `SQLite's reader thread died: ${String(error)}`))
    started.on('exit', () => abandon(started, "SQLite's reader thread ended"))
    return started
  }

  /** Rejects the pending queries; the next one starts a new thread. */
  function abandon(ended: Worker, why: string): void {
    // A thread that dies emits two events; at the second one its successor may be running.
    if (worker !== ended) return
    worker = undefined
    for (const { reject } of pending.values()) reject(new StoreUnavailable(why))
    pending.clear()
  }

  return {
    async read<Kind extends ReadKind>(kind: Kind, query: QueryOf<Kind>, shape?: ViewShape) {
      if (closed) throw new StoreUnavailable('the database is closed')
      worker ??= start()
      lastNumber += 1
      const waiting = Promise.withResolvers<unknown>()
      pending.set(lastNumber, waiting)
      worker.postMessage({ number: lastNumber, kind, query, shape } satisfies ReadRequest)
      return (await waiting.promise) as AnswerOf<Kind>
    },
    /** Waits for the answers to all earlier queries. */
    close: () =>
      new Promise<void>((resolve) => {
        closed = true
        if (!worker) return resolve()
        worker.once('exit', () => resolve())
        worker.postMessage('close')
      }),
  }
}
