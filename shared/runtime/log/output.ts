import { channel } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'

/** Publishes each dropped line; the metrics count them. */
export const droppedLines = channel('mint.dropped-log-lines')

const STDERR = 2
/** How many bytes may wait for a reader; beyond that, new lines are dropped. */
const MAX_WAITING = 1024 * 1024
/** Interval between attempts to write waiting lines, in milliseconds. */
const RETRY_INTERVAL = 50
/** How long the end of the process may wait for a reader, in milliseconds. */
const EXIT_GRACE = 1_000

/**
 * Writes lines to standard error without ever waiting for their reader: a pipe that nobody reads must not block the
 * process. Each line is written immediately, so that a kill loses none. Lines that don't fit into a full pipe wait in
 * memory, in order, up to a limit; when the process ends they get another second. `onDropped` gets the number of
 * dropped lines, once the others have been written.
 */
export function createLogOutput(onDropped: (lines: number) => void): { write(line: string): void } {
  // Node makes a pipe or socket non-blocking when it is first used as `process.stderr`.
  void process.stderr
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let dropped = 0
  let retrying: NodeJS.Timeout | undefined

  /** Writes waiting lines; returns whether none are left. */
  function drain(): boolean {
    for (let line = waiting[0]; line !== undefined; line = waiting[0]) {
      const written = tryToWrite(line)
      waitingBytes -= written
      if (written < line.length) {
        waiting[0] = line.subarray(written)
        return false
      }
      waiting.shift()
    }
    return true
  }

  function proceed(): void {
    const isDone = drain()
    if (isDone && retrying !== undefined) {
      clearInterval(retrying)
      retrying = undefined
      process.off('exit', finish)
      reportDropped()
    } else if (!isDone && retrying === undefined) {
      retrying = setInterval(proceed, RETRY_INTERVAL).unref()
      process.on('exit', finish)
    }
  }

  function finish(): void {
    const until = Date.now() + EXIT_GRACE
    while (!drain() && Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    reportDropped()
    drain()
  }

  function reportDropped(): void {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    onDropped(lines)
  }

  return {
    write(line) {
      const bytes = Buffer.from(line)
      if (waitingBytes + bytes.length > MAX_WAITING) {
        dropped++
        droppedLines.publish(undefined)
        return
      }
      waitingBytes += bytes.length
      waiting.push(bytes)
      if (retrying === undefined) proceed()
    },
  }
}

/** Returns how many bytes were written, or dropped. */
function tryToWrite(bytes: Buffer): number {
  try {
    return writeSync(STDERR, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    // The reader is gone, or the disk is full: that must not end the service.
    droppedLines.publish(undefined)
    return bytes.length
  }
}
