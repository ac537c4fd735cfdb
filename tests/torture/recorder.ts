import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Entry, Moment } from './history.ts'

/** Writes the history to a file, one entry per line, and provides its clock. */
export interface Recorder {
  now(): Moment
  /** Ignored once it is closed: the rest of an aborted run isn't checked. */
  record(entry: Entry): void
  /** Resolves when everything is in the file. */
  close(): Promise<void>
}

export function recordTo(file: string): Recorder {
  const begin = performance.now()
  const stream = createWriteStream(file)
  return {
    now: () => performance.now() - begin,
    record(entry) {
      if (stream.writable) stream.write(`${JSON.stringify(entry)}\n`)
    },
    async close() {
      stream.end()
      await finished(stream)
    },
  }
}
