import type { WriteBatch } from './write-operations.ts'

/** At most so many operations go into one transaction. */
const OPERATIONS_PER_BATCH = 512

/**
 * Where one file's operations wait in the writer thread. Answers a function for what arrives: `write` is called with a
 * batch of all that waits, in a turn of the event loop of its own, so that whatever has arrived is in it, and that the
 * thread's other files come in between.
 */
export function createBatchQueue(write: (batch: WriteBatch) => void): (arrived: WriteBatch) => void {
  const waiting: WriteBatch[] = []

  function writeNext(): void {
    write(takeBatch(waiting))
    if (waiting.length > 0) setImmediate(writeNext)
  }

  return (arrived) => {
    if (waiting.push(arrived) === 1) setImmediate(writeNext)
  }
}

/**
 * Takes the next transaction's batch out of what waits: at least one of those that were handed over, and as many of
 * those after it as fit.
 */
function takeBatch(waiting: WriteBatch[]): WriteBatch {
  let operations = 0
  const tooMany = waiting.findIndex((next, index) => {
    operations += next.operations.length
    return index > 0 && operations > OPERATIONS_PER_BATCH
  })
  const taken = waiting.splice(0, tooMany < 0 ? waiting.length : tooMany)
  return {
    operations: taken.flatMap((batch) => batch.operations),
    sequences: taken.at(-1)?.sequences ?? new Map(),
  }
}
