import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A connection's prepared statements, each prepared at its first use. */
export interface Statements {
  readonly connection: DatabaseSync
  /** Integers as numbers. */
  of(sql: string): StatementSync
  /** Integers as bigints: for the keys of view rows, which are beyond 2^53. */
  withBigInts(sql: string): StatementSync
  /** Each row an array of its columns: half the time of objects where there are many rows. */
  asArrays(sql: string): StatementSync
  /** Both: arrays, and integers as bigints. */
  asBigIntArrays(sql: string): StatementSync
  /** Forgets the statements about tables that are gone. */
  forget(): void
}

/** Keeps the prepared statements of a connection. */
export function prepareStatements(connection: DatabaseSync): Statements {
  const plain = keep(connection, () => undefined)
  const bigInts = keep(connection, (statement) => statement.setReadBigInts(true))
  const arrays = keep(connection, (statement) => statement.setReturnArrays(true))
  const bigIntArrays = keep(connection, (statement) => {
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
  })
  return {
    connection,
    of: plain.of,
    withBigInts: bigInts.of,
    asArrays: arrays.of,
    asBigIntArrays: bigIntArrays.of,
    forget() {
      for (const kept of [plain, bigInts, arrays, bigIntArrays]) kept.clear()
    },
  }
}

function keep(connection: DatabaseSync, setUp: (statement: StatementSync) => void) {
  const prepared = new Map<string, StatementSync>()
  return {
    of(sql: string): StatementSync {
      let statement = prepared.get(sql)
      if (!statement) {
        statement = connection.prepare(sql)
        setUp(statement)
        prepared.set(sql, statement)
      }
      return statement
    },
    clear: () => prepared.clear(),
  }
}
