import type { LedgerEntry } from '../../../event-sourcing/ports/ledger.ts'
import { amountColumns, toDecimal, toScaled } from './amounts.ts'
import { decodeDate } from './encoded-version.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { createTexts } from './texts.reader.ts'

/** Returns a function that decodes what a version counts for; column names begin with `prefix`. */
export function entryDecoder(ledger: OpenLedger) {
  const { texts, amounts } = ledger.tables.shape
  const { text } = createTexts(ledger, {})
  return (row: Readonly<Record<string, number>>, prefix = ''): LedgerEntry => {
    const number = (column: string): number => row[prefix + column] as number
    const decimal = (amount: string): string => {
      const [units, rest] = amountColumns(amount).map((column) => BigInt(number(column)))
      return toDecimal(toScaled(units ?? 0n, rest ?? 0n))
    }
    return {
      texts: Object.fromEntries(texts.map((name) => [name, text(number(name))])),
      date: decodeDate(number('month'), number('day')),
      amounts: Object.fromEntries(amounts.map((name) => [name, decimal(name)])),
    }
  }
}
