import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Entry, Moment } from './history.ts'

export function recordTo(file: string) {
  const begin = performance.now()
  const stream = createWriteStream(file)
  return {
    now: (): Moment => performance.now() - begin,
    /** Ignored once it is closed: the rest of an aborted run isn't checked. */
    record(entry: Entry) {
      if (stream.writable) stream.write(`${JSON.stringify(entry)}\n`)
    },
    /** Resolves when everything is in the file. */
    async close() {
      stream.end()
      await finished(stream)
    },
  }
}

/** Writes the history to a file, one entry per line, and provides its clock. */
export type Recorder = ReturnType<typeof recordTo>
