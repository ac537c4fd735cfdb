import { createHash } from 'node:crypto'

/** The lines of an export, several in one text, each ended by a line feed. */
export interface ExportedLines {
  readonly text: string
  /** How many events have come so far. */
  readonly events: number
}

/** Puts the lines of an export together: counts and hashes them, for the last one to say so. */
export interface LineWriter {
  /** How many events have come so far. */
  events(): number
  /** `more`: how many events are in these lines. */
  lines(lines: readonly string[], more: number): ExportedLines
  /** The last line. */
  end(): ExportedLines
}

export function createLineWriter(): LineWriter {
  const hash = createHash('sha256')
  let count = 0
  let events = 0
  return {
    events: () => events,
    lines(lines, more) {
      const text = lines.map((line) => `${line}\n`).join('')
      hash.update(text)
      count += lines.length
      events += more
      return { text, events }
    },
    end: () => ({ text: `${JSON.stringify({ end: { lines: count, sha256: hash.digest('hex') } })}\n`, events }),
  }
}
