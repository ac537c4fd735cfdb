import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { portError } from '../file/failures.ts'
import type { ReadAnswer, ReadRequest, Reads } from './thread.reader.ts'

/** The main thread's end of the reader thread, which is started by the first read that needs it. */
export type Reader = ReturnType<typeof createReader>

/** A reader of the file; free until its first query. */
export function createReader(file: string) {
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  let worker: Worker | undefined
  let lastNumber = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(new URL('./thread.reader.ts', import.meta.url), {
      workerData: { file },
      name: 'sqlite-reader',
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    started.on('message', (answer: ReadAnswer) => {
      const waiting = asked.get(answer.number)
      asked.delete(answer.number)
      if ('answer' in answer) waiting?.resolve(answer.answer)
      else waiting?.reject(portError(answer.failure))
    })
    started.on('error', (error) => lose(started, `SQLite's reader thread died: ${String(error)}`))
    started.on('exit', () => lose(started, "SQLite's reader thread ended"))
    return started
  }

  /** The next read starts a new thread: only the pending answers are lost. */
  function lose(ended: Worker, why: string): void {
    // A thread that dies emits two events; by the second one its successor may be running.
    if (worker !== ended) return
    worker = undefined
    for (const { reject } of asked.values()) reject(new StoreUnavailable(why))
    asked.clear()
  }

  return {
    async read<Kind extends keyof Reads>(
      kind: Kind,
      shape: Extract<ReadRequest, { kind: Kind }>['shape'],
      query: Reads[Kind]['query'],
    ) {
      if (closed) throw new StoreUnavailable('the database is closed')
      worker ??= start()
      lastNumber += 1
      const waiting = Promise.withResolvers<unknown>()
      asked.set(lastNumber, waiting)
      worker.postMessage({ number: lastNumber, shape, kind, query } as ReadRequest)
      return (await waiting.promise) as Reads[Kind]['answer']
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
