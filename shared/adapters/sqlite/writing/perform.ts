import { storeApplied } from '../following/applied-commit.ts'
import { raiseTimes } from '../latest-times.ts'
import { acquireLease, releaseLease, renewLease, resetCheckpoint } from '../lease-operations.ts'
import type { Statements } from '../statements.ts'
import { activateGeneration, beginGeneration, dropSome } from '../views/generation-operations.ts'
import { createRowWriter, type RowWriter } from '../views/row-writer.ts'
import type { ViewShape } from '../views/view-shape.ts'
import { append, importCommits, type OpenLog } from './append.ts'
import type { WriteOperation, WriteResults } from './write-operations.ts'

/** What the operations of one batch work on, within its transaction. */
export interface OpenBatch {
  readonly log: OpenLog
  /** Changed by rebuilds; what is changed counts once the transaction is committed. */
  readonly rowWriters: Map<string, readonly RowWriter[]>
  readonly shapes: ReadonlyMap<string, ViewShape>
}

/** Does one operation within the running transaction, and answers its result. */
export function perform(
  { log, rowWriters, shapes }: OpenBatch,
  operation: WriteOperation,
): WriteResults[keyof WriteResults] {
  const { statements } = log
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
      for (const snapshot of operation.snapshots ?? []) writer.writeSnapshot(snapshot)
      return undefined
    }
    case 'activate':
      return activateGeneration(statements, operation.view, operation.generation) as undefined
    case 'follow': {
      if (log.head !== operation.after) throw new Error(`commits after ${operation.after}, but ${log.head} is applied`)
      for (const [view, row] of operation.rows) {
        for (const writer of rowWriters.get(view) ?? []) writer.write(row)
      }
      for (const [view, snapshot] of operation.snapshots) {
        for (const writer of rowWriters.get(view) ?? []) writer.writeSnapshot(snapshot)
      }
      storeApplied(statements, operation.applied)
      log.head = operation.applied.last
      return undefined
    }
    case 'drop': {
      const writers = rowWriters.get(operation.view) ?? []
      const others = writers.filter(({ tables }) => tables.generation !== operation.generation)
      rowWriters.set(operation.view, others)
      // The search index flushes at COMMIT what this transaction may have written there: nothing is cleared before.
      return others.length === writers.length && dropSome(statements, operation.view, operation.generation)
    }
  }
}

function shapeNamed(shapes: OpenBatch['shapes'], name: string): ViewShape {
  const shape = shapes.get(name)
  if (!shape) throw new Error(`no view ${name} was opened`)
  return shape
}

/** Writes something of no meaning. */
export function overwrite({ connection }: Statements): void {
  connection.exec('UPDATE overwrites SET times = times + 1')
}
