import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { OpenRequest, WriterOptions } from './write-operations.ts'

/** A thread that writes SQLite files. The databases of one process can share it: each thread takes 10 MB. */
export interface WriterThread {
  /**
   * Opens a file in the thread and answers the channel to it. `onLost` is called when the thread ends, and is the last
   * that is heard of the file then.
   */
  open(options: WriterOptions, onLost: (why: Error) => void): MessagePort
  /** Ends the thread. To be called when every database in it is closed. */
  end(): void
}

/** Starts a thread that has no file open yet. */
export function startWriterThread(): WriterThread {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
    name: 'sqlite-writer',
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  const users: ((why: Error) => void)[] = []
  let lost: Error | undefined
  const lose = (why: Error): void => {
    lost ??= why
    for (const tell of users) tell(lost)
  }
  worker.on('error', (error) => lose(new Error(`SQLite's writer thread died: ${String(error)}; start Mint again`)))
  worker.on('exit', () => lose(new Error("SQLite's writer thread ended")))
  return {
    open(options, onLost) {
      const { port1: ours, port2: theirs } = new MessageChannel()
      users.push(onLost)
      if (lost) onLost(lost)
      worker.postMessage({ options, port: theirs } satisfies OpenRequest, [theirs])
      return ours
    },
    end: () => worker.postMessage('end'),
  }
}
