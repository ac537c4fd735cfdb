import Big from 'big.js'
import type { RecordJson } from '../api/json.ts'
import { creditOf } from '../credits/credit.ts'
import { writeRow } from '../csv/cells.ts'
import { totalWithTax } from '../format/decimals.ts'

/** What contracts bill with tax, exact; with `changes`, as they would. */
export function totalOf(contracts: readonly RecordJson[], changes: RecordJson = {}): string {
  const totals = contracts.map((contract) => {
    const { serviceFee, taxPercent } = { ...contract, ...changes }
    return totalWithTax(String(serviceFee), String(taxPercent))
  })
  return totals.reduce((sum, total) => sum.plus(total), new Big(0)).toFixed()
}

const COLUMNS = ['clientId', 'serviceName', 'serviceType', 'serviceFee', 'taxPercent', 'serviceDate', 'notes']

/** A CSV file with a credit for each contract that has a fee. */
export function creditsFile(contracts: readonly RecordJson[], serviceDate: string): string {
  const rows = contracts
    .filter(({ serviceFee }) => Number(serviceFee) !== 0)
    .map((contract) => creditOf(contract, serviceDate))
    .map((credit) => writeRow(COLUMNS.map((name) => guarded(String(credit[name])))))
  return [writeRow(COLUMNS), ...rows].join('\n')
}

/** Mint removes one leading apostrophe. */
const guarded = (cell: string): string => (cell.startsWith("'") ? `'${cell}` : cell)
