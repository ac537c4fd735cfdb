import type { LedgerEntry, LinesQuery } from '../../../event-sourcing/ports/ledger.ts'
import { generationOf, rowsName } from '../views/stored-views.ts'
import { amountColumns, toDecimal, toScaled } from './amounts.ts'
import { decodeDate } from './encoded-version.ts'
import { labelsTable, type OpenLedger } from './ledger-tables.ts'

/** An expression for the label of a text, which is an id of another view, as of the moment ?1; null: it has none. */
export function labelSql({ statements }: OpenLedger, labelled: LinesQuery['labelled'], text: string): string {
  const generation = labelled && generationOf(statements, labelled.view)
  if (labelled === undefined || generation === undefined) return 'NULL'
  const labels = labelsTable(rowsName(labelled.view, generation))
  return `(SELECT label FROM ${labels} WHERE id = ${text} AND since <= ?1 ORDER BY era DESC, number DESC, version DESC LIMIT 1)`
}

/** Returns a function that decodes what a version counts for; column names begin with `prefix`. */
export function entryDecoder({ statements, tables }: OpenLedger) {
  const { texts, amounts } = tables.shape
  const select = statements.of(`SELECT text FROM ${tables.codes} WHERE code = ?`)
  return (row: Readonly<Record<string, number>>, prefix = ''): LedgerEntry => {
    const number = (column: string): number => row[prefix + column] as number
    const decimal = (amount: string): string => {
      const [units, rest] = amountColumns(amount).map((column) => BigInt(number(column)))
      return toDecimal(toScaled(units ?? 0n, rest ?? 0n))
    }
    return {
      texts: Object.fromEntries(texts.map((name) => [name, String(select.get(number(name))?.text)])),
      date: decodeDate(number('month'), number('day')),
      amounts: Object.fromEntries(amounts.map((name) => [name, decimal(name)])),
    }
  }
}
