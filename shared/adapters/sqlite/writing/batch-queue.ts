import type { SequenceNumbers, WriteBatch, WriteOperation } from './write-operations.ts'

/** At most so many operations go into one transaction, and about so many characters of JSON text. */
const OPERATIONS_PER_BATCH = 512
const CHARACTERS_PER_BATCH = 1_000_000

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
  let characters = 0
  let count = 0
  for (const next of waiting) {
    operations += next.operations.length
    characters += next.operations.reduce((sum, operation) => sum + roughSize(operation), 0)
    if (count > 0 && (operations > OPERATIONS_PER_BATCH || characters > CHARACTERS_PER_BATCH)) break
    count += 1
  }
  const taken = waiting.splice(0, count)
  return {
    operations: taken.flatMap((batch) => batch.operations),
    sequences: latest(taken.map(({ sequences }) => sequences)),
  }
}

/** Of each sequence the number that was handed over last. */
function latest(marks: readonly SequenceNumbers[]): SequenceNumbers {
  return [...new Map(marks.flat())]
}

function roughSize(operation: WriteOperation): number {
  if (operation.kind !== 'append') return 1000
  const events = operation.events.reduce((sum, [, data]) => sum + data.length, 0)
  return operation.rows.reduce((sum, [, row]) => sum + row.state.length, events)
}
