import { PAGES_PER_CHECKPOINT } from '../file/connection.ts'
import { isEngineFailure, nothingWasWritten, toFailure } from '../file/failures.ts'
import type { Statements } from '../file/statements.ts'
import { headOf } from '../log/log-reads.ts'
import { createRowWriter, type RowWriter } from '../views/rows.writer.ts'
import type { ViewShape } from '../views/view-shape.ts'
import { viewTables } from '../views/view-tables.ts'
import { type OpenTransaction, perform } from './perform.writer.ts'
import { NO_OP, type OperationEnd, type WriteBatch, type WriteOperation, type WriteResult } from './write-operations.ts'

/** What the writer thread holds for one file. */
export interface WriterState {
  readonly statements: Statements
  readonly shapes: readonly ViewShape[]
  /** By view and generation, each created with its first row. */
  readonly rowWriters: Map<string, RowWriter>
  /** The connection's settings, which depend on what is written. */
  settings: string
  /** Called within each transaction: throws when this process must no longer write the file. */
  readonly checkOwnership: () => void
}

/**
 * Makes a batch durable in one transaction, and returns how its operations ended. If one fails for a reason of its own,
 * each operation is retried in a separate transaction.
 */
export function writeBatch(state: WriterState, { operations, sequences }: WriteBatch): OperationEnd[] {
  const results = inOneTransaction(state, { operations, sequences })
  if (!('failure' in results)) return results.map((result) => ({ result }))
  const all = (end: OperationEnd) => operations.map(() => end)
  if (!results.certain || isEngineFailure(results.failure) || operations.length === 1) return all(results)
  const ends: OperationEnd[] = []
  for (const operation of operations) {
    const alone = writeBatch(state, { operations: [operation], sequences })
    // One uncertain outcome makes all uncertain: callers then check the log.
    const inDoubt = alone.find((end) => 'failure' in end && !end.certain)
    if (inDoubt) return all(inDoubt)
    ends.push(...alone)
  }
  return ends
}

function inOneTransaction(state: WriterState, { operations, sequences }: WriteBatch) {
  const { statements, rowWriters } = state
  let results: WriteResult[]
  try {
    setFor(state, operations)
    statements.connection.exec('BEGIN IMMEDIATE')
    state.checkOwnership()
    const rowWriter = (view: string, generation: number) => rowWriterOf(state, view, generation)
    const transaction: OpenTransaction = { statements, head: headOf(statements), rowWriter }
    results = operations.map((operation) => perform(transaction, operation))
    for (const [category, last] of sequences) statements.of(STORE_NUMBER).run(category, last)
    for (const writer of rowWriters.values()) writer.flush()
  } catch (error) {
    rollBack(state)
    return { failure: toFailure(error), certain: true }
  }
  try {
    statements.connection.exec('COMMIT')
  } catch (error) {
    rollBack(state)
    const failure = toFailure(error)
    return { failure, certain: nothingWasWritten(failure) || overwriteLeftovers(state) }
  }
  // Includes writers of tables that were dropped.
  if (operations.some(({ kind }) => kind === 'tables')) rowWriters.clear()
  return results
}

const STORE_NUMBER = `
  INSERT INTO sequences VALUES (?, ?) ON CONFLICT DO UPDATE SET last = excluded.last WHERE excluded.last > last`

function rowWriterOf({ statements, shapes, rowWriters }: WriterState, view: string, generation: number): RowWriter {
  const name = `${view}_${generation}`
  let writer = rowWriters.get(name)
  if (!writer) {
    const shape = shapes.find((one) => one.name === view)
    if (!shape) throw new Error(`no view ${view} was opened`)
    writer = createRowWriter(statements.connection, viewTables(shape, generation))
    rowWriters.set(name, writer)
  }
  return writer
}

function setFor(state: WriterState, operations: readonly WriteOperation[]): void {
  const areAll = (one: WriteOperation['kind']) => operations.length > 0 && operations.every(({ kind }) => kind === one)
  const settings = areAll('project') ? PROJECTING : areAll('tables') ? INDEXING : STRICT
  if (settings === state.settings) return
  state.statements.connection.exec(settings)
  state.settings = settings
}

/** What a connection is opened with. */
export const STRICT = `
  PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}; PRAGMA temp_store = MEMORY`
/**
 * Building a view from a log needn't be durable at once: the next batch's fsync covers it. Its pages are rewritten many
 * times, so less frequent checkpoints pay off, too.
 */
const PROJECTING = 'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16000; PRAGMA temp_store = MEMORY'
/** Sorts the rows of a new index in files: in memory, a million would take 140 MB. */
const INDEXING = `${STRICT}; PRAGMA temp_store = FILE`

function rollBack({ statements, rowWriters }: WriterState): void {
  for (const writer of rowWriters.values()) writer.forget()
  if (statements.connection.isTransaction) statements.connection.exec('ROLLBACK')
}

/**
 * After a commit that failed at the fsync: commits something else at the same offset in the write-ahead log, so that no
 * recovery can find the failed one. Returns whether that succeeded.
 */
function overwriteLeftovers({ statements }: WriterState): boolean {
  try {
    statements.connection.exec(NO_OP.sql)
    return true
  } catch {
    return false
  }
}
