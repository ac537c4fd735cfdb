import { channel } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'

/** Where each line that is dropped is announced; counted in the metrics. */
export const droppedLines = channel('mint.dropped-log-lines')

const STDERR = 2
/** What waits for a reader at most, in bytes; beyond it, new lines are dropped. */
const MAX_WAITING = 1024 * 1024
/** Between two attempts to write what waits, in milliseconds. */
const RETRY_INTERVAL = 50
/** How long the end of the process may wait for a reader, in milliseconds. */
const EXIT_GRACE = 1_000

/**
 * Writes lines to standard error without ever waiting for whoever reads them: a pipe that nobody reads must not stop the
 * process. Each line is written at once, so that a kill loses none. Those that a full pipe doesn't take wait in memory,
 * in order, up to a limit; at the end of the process they get another second. `onDropped` gets the number of lines
 * dropped, once the others have been written.
 */
export function createLogOutput(onDropped: (lines: number) => void): { write(line: string): void } {
  // Node makes a pipe or socket non-blocking when it is first used as `process.stderr`.
  void process.stderr
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let dropped = 0
  let retrying: NodeJS.Timeout | undefined

  /** Writes what waits; returns whether nothing is left. */
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

/** Returns how many bytes are done with. */
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
