import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Prepares a statement, or finds it prepared, that answers rows as arrays: half of the time of objects. */
export type ArrayStatements = (sql: string) => StatementSync

/** None prepared yet. */
export function prepareArrays(connection: DatabaseSync): ArrayStatements {
  const prepared = new Map<string, StatementSync>()
  return (sql) => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    statement.setReturnArrays(true)
    prepared.set(sql, statement)
    return statement
  }
}
