import { MessageChannel, Worker } from 'node:worker_threads'
import type { OpenRequest, WriterOptions } from './write-operations.ts'

/** The thread that writes SQLite files. All files of a process share it: each thread takes 10 MB. */
export type WriterThread = ReturnType<typeof startThread>

let running: WriterThread | undefined

/** This process's writer thread, started by the first call, and restarted by the first one after it has died. */
export function writerThread(): WriterThread {
  running ??= startThread()
  return running
}

function startThread() {
  const worker = new Worker(new URL('./thread.writer.ts', import.meta.url), {
    name: 'sqlite-writer',
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  // Only the channel of an open file keeps the process alive.
  worker.unref()
  const listeners = new Set<(why: Error) => void>()
  worker.on('error', (error) => end(new Error(`SQLite's writer thread died: ${String(error)}; start Mint again`)))
  worker.on('exit', () => end(new Error("SQLite's writer thread ended")))
  const thread = {
    /** Opens a file in the thread, and returns the channel to it. */
    open(options: WriterOptions) {
      const { port1: ours, port2: theirs } = new MessageChannel()
      worker.postMessage({ ...options, port: theirs } satisfies OpenRequest, [theirs])
      return ours
    },
    /**
     * Calls `listener` with the reason when the thread ends; it then reports nothing more about its files. Returns a
     * function that removes the listener: the thread outlives the files that are opened and closed.
     */
    onEnd(listener: (why: Error) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  function end(why: Error): void {
    if (running === thread) running = undefined
    for (const listener of listeners) listener(why)
    listeners.clear()
  }

  return thread
}
