import type { Statements } from '../file/statements.ts'
import type { LedgerTables } from './ledger-tables.ts'

/** A ledger within a snapshot of the file. */
export interface OpenLedger {
  readonly statements: Statements
  readonly tables: LedgerTables
}
