import { MessageChannel, Worker } from 'node:worker_threads'
import type { OpenRequest, WriterOptions } from '../../any-thread/write-operations.ts'

/** A thread that writes SQLite files. The databases of one process can share it: each thread takes 10 MB. */
export type WriterThread = ReturnType<typeof startWriterThread>

/** Starts a thread that has no file open yet. */
export function startWriterThread() {
  const worker = new Worker(new URL('../../writer-thread/writer-thread.ts', import.meta.url), {
    name: 'sqlite-writer',
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  const { promise: ended, resolve } = Promise.withResolvers<Error>()
  worker.on('error', (error) => resolve(new Error(`SQLite's writer thread died: ${String(error)}; start Mint again`)))
  worker.on('exit', () => resolve(new Error("SQLite's writer thread ended")))
  return {
    /** Opens a file in the thread, and returns the channel to it. */
    open(options: WriterOptions) {
      const { port1: ours, port2: theirs } = new MessageChannel()
      worker.postMessage({ ...options, port: theirs } satisfies OpenRequest, [theirs])
      return ours
    },
    /** Resolves with the reason once the thread has ended; nothing more is reported about its files then. */
    ended,
    /** Ends the thread. Call it when every database in it is closed. */
    end: () => worker.postMessage('end'),
  }
}
