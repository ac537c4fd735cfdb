import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A connection's prepared statements, each prepared at its first use. */
export interface Statements {
  readonly connection: DatabaseSync
  /** Integers as numbers. */
  of(sql: string): StatementSync
  /** Integers as bigints: for the keys of view rows, which are beyond 2^53. */
  withBigInts(sql: string): StatementSync
  /** Forgets the statements about tables that are gone. */
  forget(): void
}

/** Keeps the prepared statements of a connection. */
export function prepareStatements(connection: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>()
  const bigInts = new Map<string, StatementSync>()
  return {
    connection,
    of(sql) {
      let statement = prepared.get(sql)
      if (!statement) {
        statement = connection.prepare(sql)
        prepared.set(sql, statement)
      }
      return statement
    },
    withBigInts(sql) {
      let statement = bigInts.get(sql)
      if (!statement) {
        statement = connection.prepare(sql)
        statement.setReadBigInts(true)
        bigInts.set(sql, statement)
      }
      return statement
    },
    forget() {
      prepared.clear()
      bigInts.clear()
    },
  }
}
