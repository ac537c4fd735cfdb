import { PAGES_PER_CHECKPOINT } from '../connection.ts'
import { isEngineFailure, nothingWasWritten, toFailure } from '../failures.ts'
import { headOf } from '../log/log-reads.ts'
import type { Statements } from '../statements.ts'
import type { ViewShape } from '../views/view-shape.ts'
import type { OpenLog, RowWriters } from './append.ts'
import { overwrite, perform } from './perform.ts'
import type { BatchEnd, OperationEnd, WriteBatch, WriteOperation } from './write-operations.ts'

/** What the writer thread works on. */
export interface WriterState {
  readonly statements: Statements
  readonly shapes: ReadonlyMap<string, ViewShape>
  /** Replaced only when a transaction that changed it is committed. */
  rowWriters: RowWriters
  /** Whether the connection is set for what needn't be durable at once. */
  isRelaxed: boolean
  /** Throws when the file that is written, or the folder's lock, is no longer the one at its path. */
  readonly checkPlaces: () => void
  /** Throws, within a transaction, when another process has opened the file for writing. */
  readonly checkOwnership: () => void
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
    state.checkPlaces()
    relaxFor(state, batch)
    connection.exec('BEGIN IMMEDIATE')
    state.checkOwnership()
    log = { statements: state.statements, head: headOf(state.statements) }
    ends = batch.operations.map((operation) => ({
      result: perform({ log, rowWriters, shapes: state.shapes }, operation),
    }))
    for (const [category, last] of batch.sequences) recordSequence(state.statements, category, last)
    for (const writer of [...rowWriters.values()].flat()) writer.flush()
    if (batch.operations.some(({ kind }) => kind === 'append' || kind === 'follow')) moveCheckpoints(log, rowWriters)
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

function recordSequence(statements: Statements, category: string, last: number): void {
  statements
    .of('INSERT INTO sequences VALUES (?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)')
    .run(category, last)
}

/** The views that are read are at the head: every append, and every commit followed, brings its rows. */
function moveCheckpoints({ statements, head }: OpenLog, rowWriters: RowWriters): void {
  const move = statements.of('UPDATE views SET checkpoint = ? WHERE name = ? AND active = 1')
  for (const name of rowWriters.keys()) move.run(head, name)
}

/**
 * What only builds a view beside the log needn't be on disk at once: the next batch's fsync takes it along. Its pages
 * are written again and again, so it also pays to bring them into the file less often.
 */
function relaxFor(state: WriterState, { operations }: WriteBatch): void {
  const relaxed = operations.length > 0 && operations.every(({ kind }) => RELAXED_KINDS.has(kind))
  if (relaxed === state.isRelaxed) return
  state.statements.connection.exec(relaxed ? RELAXED : STRICT)
  state.isRelaxed = relaxed
}

const RELAXED_KINDS: ReadonlySet<WriteOperation['kind']> = new Set(['project', 'drop', 'follow'])

/** For a connection that writes nothing but what the log can tell again. */
export const RELAXED = 'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16000'
const STRICT = `PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`

function rollBack({ statements, rowWriters }: WriterState): void {
  for (const writer of [...rowWriters.values()].flat()) writer.forget()
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
