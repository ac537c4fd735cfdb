import { PAGES_PER_CHECKPOINT } from '../connection.ts'
import { isEngineFailure, nothingWasWritten, toFailure } from '../failures.ts'
import { raiseTimes } from '../latest-times.ts'
import { acquireLease, releaseLease, renewLease, resetCheckpoint } from '../lease-operations.ts'
import { headOf } from '../log/log-reads.ts'
import type { Statements } from '../statements.ts'
import { activateGeneration, beginGeneration, dropSome } from '../views/rebuild-operations.ts'
import { createRowWriter, type RowWriter } from '../views/row-writer.ts'
import type { ViewShape } from '../views/view-shape.ts'
import { append, importCommits, type OpenLog, type RowWriters } from './append.ts'
import type { BatchEnd, OperationEnd, WriteBatch, WriteOperation, WriteResults } from './write-operations.ts'

/** What the writer thread works on. */
export interface WriterState {
  readonly statements: Statements
  readonly shapes: ReadonlyMap<string, ViewShape>
  /** Replaced only when a transaction that changed it is committed. */
  rowWriters: RowWriters
  /** Whether the connection is set for what needn't be durable at once. */
  isRelaxed: boolean
  /** Throws when the file that is written is no longer the one at its path. */
  readonly checkPlace: () => void
}

/**
 * Makes a batch durable in one transaction. When one of its operations fails for a reason of its own, the others are
 * done in transactions of their own.
 */
export function writeBatch(state: WriterState, batch: WriteBatch): BatchEnd {
  const end = inOneTransaction(state, batch)
  if (end.type === 'done' || !end.certain || isEngineFailure(end.failure)) return end
  if (batch.operations.length === 1) {
    return { type: 'done', ends: [{ failure: end.failure }], head: headOf(state.statements) }
  }
  const ends: OperationEnd[] = []
  for (const operation of batch.operations) {
    const alone = writeBatch(state, { operations: [operation], sequences: batch.sequences })
    // Where one is in doubt all are: whoever asked looks for what is in the log.
    if (alone.type === 'failed' && !alone.certain) return alone
    if (alone.type === 'failed') ends.push({ failure: alone.failure })
    else ends.push(...alone.ends)
  }
  return { type: 'done', ends, head: headOf(state.statements) }
}

function inOneTransaction(state: WriterState, batch: WriteBatch): BatchEnd {
  const { connection } = state.statements
  const rowWriters = new Map(state.rowWriters)
  let ends: OperationEnd[]
  let log: OpenLog
  try {
    state.checkPlace()
    relaxFor(state, batch)
    connection.exec('BEGIN IMMEDIATE')
    log = { statements: state.statements, head: headOf(state.statements) }
    ends = batch.operations.map((operation) => ({ result: perform(state, log, rowWriters, operation) }))
    for (const [category, last] of batch.sequences) recordSequence(state.statements, category, last)
    if (batch.operations.some(({ kind }) => kind === 'append')) moveCheckpoints(log, rowWriters)
  } catch (error) {
    rollBack(state)
    return { type: 'failed', failure: toFailure(error), certain: true }
  }
  try {
    connection.exec('COMMIT')
  } catch (error) {
    rollBack(state)
    const failure = toFailure(error)
    return { type: 'failed', failure, certain: nothingWasWritten(failure) || overwriteLeftovers(state) }
  }
  state.rowWriters = rowWriters
  return { type: 'done', ends, head: log.head }
}

function perform(
  state: WriterState,
  log: OpenLog,
  rowWriters: Map<string, readonly RowWriter[]>,
  operation: WriteOperation,
): WriteResults[keyof WriteResults] {
  const { statements, shapes } = state
  switch (operation.kind) {
    case 'append':
      return append(log, rowWriters, operation)
    case 'import':
      return importCommits(log, operation.commits) as undefined
    case 'acquire':
      return acquireLease(statements, operation)
    case 'renew':
      return renewLease(statements, operation)
    case 'release':
      return releaseLease(statements, operation) as undefined
    case 'reset':
      return resetCheckpoint(statements, operation) as undefined
    case 'dead-letter':
      statements
        .of('INSERT OR REPLACE INTO dead_letters (message_id, letter) VALUES (?, ?)')
        .run(operation.messageId, operation.letter)
      return undefined
    case 'remove-dead-letter':
      statements
        .of("DELETE FROM dead_letters WHERE message_id = ? AND letter ->> 'at' = ?")
        .run(operation.messageId, operation.at)
      return undefined
    case 'probe':
      overwrite(statements)
      return undefined
    case 'raise-times':
      return raiseTimes(statements, operation.of, operation.times) as undefined
    case 'begin-rebuild': {
      const tables = beginGeneration(statements, shapeNamed(shapes, operation.view))
      const writer = createRowWriter(statements.connection, tables)
      rowWriters.set(operation.view, [...(rowWriters.get(operation.view) ?? []), writer])
      return { generation: tables.generation }
    }
    case 'project': {
      const writer = rowWriters.get(operation.view)?.find(({ tables }) => tables.generation === operation.generation)
      if (!writer) throw new Error(`generation ${operation.generation} of ${operation.view} is not being written`)
      for (const row of operation.rows) writer.write(row)
      return undefined
    }
    case 'activate':
      return activateGeneration(statements, operation.view, operation.generation) as undefined
    case 'drop': {
      const writers = rowWriters.get(operation.view) ?? []
      const others = writers.filter(({ tables }) => tables.generation !== operation.generation)
      rowWriters.set(operation.view, others)
      // The search index flushes at COMMIT what this transaction may have written there: nothing is cleared before.
      return others.length === writers.length && dropSome(statements, operation.view, operation.generation)
    }
  }
}

function shapeNamed(shapes: WriterState['shapes'], name: string): ViewShape {
  const shape = shapes.get(name)
  if (!shape) throw new Error(`no view ${name} was opened`)
  return shape
}

function recordSequence(statements: Statements, category: string, last: number): void {
  statements
    .of('INSERT INTO sequences VALUES (?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)')
    .run(category, last)
}

/** The views that are read stand at the head: every append brings its rows. */
function moveCheckpoints({ statements, head }: OpenLog, rowWriters: RowWriters): void {
  const move = statements.of('UPDATE views SET checkpoint = ? WHERE name = ? AND active = 1')
  for (const name of rowWriters.keys()) move.run(head, name)
}

/**
 * What only builds a view beside the log needn't be on disk at once: the next batch's fsync takes it along. Its pages
 * are written again and again, so it also pays to bring them into the file less often.
 */
function relaxFor(state: WriterState, { operations }: WriteBatch): void {
  const relaxed = operations.length > 0 && operations.every(({ kind }) => kind === 'project' || kind === 'drop')
  if (relaxed === state.isRelaxed) return
  state.statements.connection.exec(relaxed ? RELAXED : STRICT)
  state.isRelaxed = relaxed
}

const RELAXED = 'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16000'
const STRICT = `PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`

function rollBack({ statements }: WriterState): void {
  if (statements.connection.isTransaction) statements.connection.exec('ROLLBACK')
}

/**
 * After a commit that failed at the fsync: commits something else in the same place of the write-ahead log, so that no
 * recovery can find the failed one. True when that worked.
 */
function overwriteLeftovers({ statements }: WriterState): boolean {
  try {
    overwrite(statements)
    return true
  } catch {
    return false
  }
}

function overwrite({ connection }: Statements): void {
  connection.exec('UPDATE overwrites SET times = times + 1')
}
