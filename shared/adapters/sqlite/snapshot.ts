import type { Statements } from './statements.ts'

/** Runs reads that all see the database as it is at one moment, whatever is written meanwhile. */
export function inSnapshot<T>({ connection }: Statements, read: () => T): T {
  connection.exec('BEGIN')
  try {
    return read()
  } finally {
    // An engine that failed may have ended the transaction by itself.
    if (connection.isTransaction) connection.exec('ROLLBACK')
  }
}
