import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../../../event-sourcing/ports/event-store.ts'
import { portError } from '../../any-thread/failures.ts'
import type { ListAnswer, TableQuery } from '../../any-thread/list-query.ts'
import type { ViewShape } from '../../any-thread/view-shape.ts'
import type { ReadAnswer, ReadRequest } from '../../reader-thread/reader-thread.ts'

/** The main thread's end of the reader thread, which is started by the first list that needs it. */
export type Reader = ReturnType<typeof createReader>

/** A reader of the file; free until its first query. */
export function createReader(file: string) {
  const asked = new Map<number, PromiseWithResolvers<ListAnswer>>()
  let worker: Worker | undefined
  let lastNumber = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(new URL('../../reader-thread/reader-thread.ts', import.meta.url), {
      workerData: { file },
      name: 'sqlite-reader',
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    started.on('message', (answer: ReadAnswer) => {
      const waiting = asked.get(answer.number)
      asked.delete(answer.number)
      if ('page' in answer) waiting?.resolve(answer.page)
      else waiting?.reject(portError(answer.failure))
    })
    started.on('error', (error) => lose(started, `SQLite's reader thread died: ${String(error)}`))
    started.on('exit', () => lose(started, "SQLite's reader thread ended"))
    return started
  }

  /** The next list starts a new thread: only the pending answers are lost. */
  function lose(ended: Worker, why: string): void {
    // A thread that dies emits two events; by the second one its successor may be running.
    if (worker !== ended) return
    worker = undefined
    for (const { reject } of asked.values()) reject(new StoreUnavailable(why))
    asked.clear()
  }

  return {
    async list(shape: ViewShape, query: TableQuery) {
      if (closed) throw new StoreUnavailable('the database is closed')
      worker ??= start()
      lastNumber += 1
      const waiting = Promise.withResolvers<ListAnswer>()
      asked.set(lastNumber, waiting)
      worker.postMessage({ number: lastNumber, shape, query } satisfies ReadRequest)
      return await waiting.promise
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
