import { append, type Generations, headOf } from './append.ts'
import { isEngineFailure, nothingWasWritten, toFailure } from './failures.ts'
import { acquireLease, releaseLease, renewLease, resetCheckpoint } from './lease-operations.ts'
import { activateGeneration, beginGeneration, dropSome } from './rebuild-operations.ts'
import { writeRow } from './row-writer.ts'
import type { Statements } from './statements.ts'
import type { ViewShape } from './view-shape.ts'
import { type ViewTables, viewTables } from './view-tables.ts'
import type { BatchEnd, OperationEnd, WriteBatch, WriteOperation, WriteResults } from './write-operations.ts'

/** What the writer thread works on. */
export interface WriterState {
  readonly statements: Statements
  readonly shapes: ReadonlyMap<string, ViewShape>
  /** Replaced only when a transaction that changed it is committed. */
  generations: Generations
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
    if (alone.type === 'failed') ends.push({ failure: alone.failure })
    else ends.push(...alone.ends)
  }
  return { type: 'done', ends, head: headOf(state.statements) }
}

function inOneTransaction(state: WriterState, batch: WriteBatch): BatchEnd {
  const { connection } = state.statements
  const generations = new Map(state.generations)
  let ends: OperationEnd[]
  let head: number
  try {
    relaxFor(state.statements, batch)
    connection.exec('BEGIN IMMEDIATE')
    ends = batch.operations.map((operation) => ({ result: perform(state, generations, operation) }))
    for (const [category, last] of batch.sequences) recordSequence(state.statements, category, last)
    head = headOf(state.statements)
    if (batch.operations.some(({ kind }) => kind === 'append')) moveCheckpoints(state.statements, generations, head)
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
  state.generations = generations
  return { type: 'done', ends, head }
}

function perform(
  state: WriterState,
  generations: Map<string, readonly ViewTables[]>,
  operation: WriteOperation,
): WriteResults[keyof WriteResults] {
  const { statements, shapes } = state
  switch (operation.kind) {
    case 'append':
      return append(statements, generations, operation)
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
        .of('INSERT OR IGNORE INTO dead_letters (message_id, letter) VALUES (?, ?)')
        .run(operation.messageId, operation.letter)
      return undefined
    case 'begin-rebuild': {
      const tables = beginGeneration(statements, shapeNamed(shapes, operation.view))
      generations.set(operation.view, [...(generations.get(operation.view) ?? []), tables])
      return { generation: tables.generation }
    }
    case 'project': {
      const tables = viewTables(shapeNamed(shapes, operation.view), operation.generation)
      for (const row of operation.rows) writeRow(statements, tables, row)
      return undefined
    }
    case 'activate':
      return activateGeneration(statements, operation.view, operation.generation) as undefined
    case 'drop': {
      const others = (generations.get(operation.view) ?? []).filter((t) => t.generation !== operation.generation)
      generations.set(operation.view, others)
      return dropSome(statements, operation.view, operation.generation)
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
function moveCheckpoints(statements: Statements, generations: Generations, head: number): void {
  for (const name of generations.keys()) {
    statements
      .of('UPDATE views SET checkpoint = ? WHERE name = ? AND active = 1 AND checkpoint < ?')
      .run(head, name, head)
  }
}

/** What only builds a view beside the log needn't be on disk at once: the next batch's fsync takes it along. */
function relaxFor({ connection }: Statements, { operations }: WriteBatch): void {
  const relaxed = operations.every(({ kind }) => kind === 'project' || kind === 'drop')
  connection.exec(`PRAGMA synchronous = ${relaxed && operations.length > 0 ? 'NORMAL' : 'FULL'}`)
}

function rollBack({ statements }: WriterState): void {
  if (statements.connection.isTransaction) statements.connection.exec('ROLLBACK')
}

/**
 * After a commit that failed at the fsync: commits something else in the same place of the write-ahead log, so that no
 * recovery can find the failed one. True when that worked.
 */
function overwriteLeftovers({ statements }: WriterState): boolean {
  try {
    statements.connection.exec('UPDATE overwrites SET times = times + 1')
    return true
  } catch {
    return false
  }
}
