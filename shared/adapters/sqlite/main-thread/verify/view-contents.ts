import type { ViewDifference } from '../../../../event-sourcing/ports/inspection.ts'
import { labelsTable } from '../../any-thread/ledger/ledger-tables.ts'
import { PLACE_BITS, type ViewTables } from '../../any-thread/view-tables.ts'

/** What a table says that follows from the log alone, not from the order or the transactions in which it was written. */
export interface Contents {
  readonly of: ViewDifference['of']
  /** The table in a database, under another name in the statement. */
  readonly from: string
  /** The columns of a record's id and, unless the table has one row for each record, of its version. */
  readonly key: readonly string[]
  /** Name → SQL. */
  readonly values: Readonly<Record<string, string>>
  /** Which rows it has depends on more than the log. */
  readonly isPartial?: boolean
}

/**
 * The contents of a view's tables in one of a connection's databases; `as`: what a table is called in the statement.
 * Counts, search indexes and packed entries of a ledger are left out.
 */
export function contentsOf(database: string, as: string, tables: ViewTables): Contents[] {
  const { rows, texts, snapshots, shape, filterColumns, rangeColumns } = tables
  const from = (table: string): string => `${database}.${table} AS ${as}`
  const columns = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `${as}.${name}`]))
  const row = {
    ...columns('version', 'at', ...filterColumns, ...rangeColumns, 'state'),
    createdAt: `${as}.key >> ${PLACE_BITS}`,
    text: `(SELECT text FROM ${database}.${texts} WHERE key = ${as}.key)`,
  }
  const ofVersion = [`${as}.id`, `${as}.version`]
  const contents: Contents[] = [
    { of: 'row', from: from(rows), key: [`${as}.id`], values: row },
    { of: 'snapshots', from: from(snapshots), key: ofVersion, values: columns('at', 'state'), isPartial: true },
  ]
  if (shape.versions?.kind === 'labels') {
    const values = columns('since', 'label', 'era', 'number')
    contents.push({ of: 'labels', from: from(labelsTable(rows)), key: ofVersion, values })
  }
  return contents
}
