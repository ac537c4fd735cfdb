import type { ViewDifference } from '../../../event-sourcing/ports/inspection.ts'
import { amountColumns, toDecimal, toScaled } from '../sums/amounts.ts'
import { decodeDate } from '../sums/encoded-version.ts'
import { type LedgerShape, labelsTable, ledgerTables, OPEN } from '../sums/ledger-tables.ts'
import { PLACE_BITS, type ViewTables } from '../views/view-tables.ts'

export type Value = string | number | null
/** Values by their names. */
export type Values = Readonly<Record<string, Value>>

/** What a table says that follows from the log alone, not from the order or the transactions in which it was written. */
export interface Contents {
  readonly of: ViewDifference['of']
  /** The table in a database, under another name in the statement. */
  readonly from: string
  /** The columns of a record's id and, unless the table has one row for each record, of its version. */
  readonly key: readonly string[]
  /** Name → SQL. */
  readonly values: Readonly<Record<string, string>>
  /** What people are shown instead of the values; the values themselves by default. */
  readonly shown?: (values: Values) => Values
  /** Which rows it has depends on more than the log. */
  readonly isPartial?: boolean
}

/**
 * The contents of a view's tables in one of a connection's databases; `as`: what a table is called in the statement.
 * Counts, search indexes and the list of late versions are left out.
 */
export function contentsOf(database: string, as: string, tables: ViewTables): Contents[] {
  const { rows, texts, snapshots, shape, filterColumns, rangeColumns } = tables
  const from = (table: string): string => `${database}.${table} AS ${as}`
  const columns = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `${as}.${name}`]))
  const listed = [...filterColumns, ...rangeColumns, 'text'].map((column) => {
    return [column, `(SELECT ${column} FROM ${database}.${texts} WHERE key = ${as}.key)`] as const
  })
  const row = {
    ...columns('version', 'at', 'state'),
    createdAt: `${as}.key >> ${PLACE_BITS}`,
    ...Object.fromEntries(listed),
  }
  const ofVersion = [`${as}.id`, `${as}.version`]
  const contents: Contents[] = [
    { of: 'row', from: from(rows), key: [`${as}.id`], values: row },
    { of: 'snapshots', from: from(snapshots), key: ofVersion, values: columns('at', 'state'), isPartial: true },
  ]
  if (shape.versions?.kind === 'ledger') {
    const { versions, codes, counted } = ledgerTables(rows, shape.versions)
    // The number of a text depends on what else was written.
    const textOf = (code: string): string =>
      `ifnull((SELECT text FROM ${database}.${codes} WHERE code = ${code}), '(no text has the code ' || ${code} || ')')`
    const texts = shape.versions.texts.map((name) => [name, textOf(`${as}.${name}`)])
    const values = { ...columns('at', 'until', 'changed', ...counted), ...Object.fromEntries(texts) }
    contents.push({ of: 'ledger', from: from(versions), key: ofVersion, values, shown: entryShown(shape.versions) })
  }
  if (shape.versions?.kind === 'labels') {
    const values = columns('since', 'label', 'era', 'number')
    contents.push({ of: 'labels', from: from(labelsTable(rows)), key: ofVersion, values })
  }
  return contents
}

/** Shows dates and amounts of a ledger's entries as they were given. */
function entryShown({ amounts }: LedgerShape) {
  return ({ month, day, until, ...values }: Values): Values => {
    const shown: Record<string, Value> = { ...values, until: until === OPEN ? 'open' : (until ?? null) }
    shown.date = decodeDate(Number(month), Number(day))
    for (const amount of amounts) {
      const [units, rest] = amountColumns(amount)
      shown[units] = toDecimal(toScaled(BigInt(Number(values[units])), BigInt(Number(values[rest]))))
      delete shown[rest]
    }
    return shown
  }
}
