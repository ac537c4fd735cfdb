import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A connection's prepared statements, each prepared on first use. */
export interface Statements {
  readonly connection: DatabaseSync
  /** Integers as numbers. */
  of(sql: string): StatementSync
  /** Each row as an array of its columns: takes half the time of objects when there are many rows. */
  asArrays(sql: string): StatementSync
  /** Rows as arrays, integers as bigints: for the keys of view rows, which exceed 2^53. */
  asBigIntArrays(sql: string): StatementSync
}

/** Creates the cache of a connection's prepared statements. */
export function prepareStatements(connection: DatabaseSync): Statements {
  return {
    connection,
    of: preparing(connection, () => undefined),
    asArrays: preparing(connection, (statement) => statement.setReturnArrays(true)),
    asBigIntArrays: preparing(connection, (statement) => {
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
    }),
  }
}

function preparing(connection: DatabaseSync, setUp: (statement: StatementSync) => void) {
  const prepared = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    let statement = prepared.get(sql)
    if (!statement) {
      statement = connection.prepare(sql)
      setUp(statement)
      prepared.set(sql, statement)
    }
    return statement
  }
}

/** Runs reads that all see the database as of one moment, whatever is written meanwhile. */
export function inSnapshot<T>({ connection }: Statements, read: () => T): T {
  connection.exec('BEGIN')
  try {
    return read()
  } finally {
    // A failed engine may have ended the transaction by itself.
    if (connection.isTransaction) connection.exec('ROLLBACK')
  }
}
