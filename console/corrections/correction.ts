import Big from 'big.js'
import { exactNumber, type RecordJson } from '../api/json.ts'
import { creditOf } from '../credits/credit.ts'
import { totalWithTax } from '../format/decimals.ts'

/** The exact total of contracts with tax; with `changes`, what it would be. */
export function totalOf(contracts: readonly RecordJson[], changes: RecordJson = {}): string {
  const totals = contracts.map((contract) => {
    const { serviceFee, taxPercent } = { ...contract, ...changes }
    return totalWithTax(String(serviceFee), String(taxPercent))
  })
  return totals.reduce((sum, total) => sum.plus(total), new Big(0)).toFixed()
}

/** The fields of a contract's credit, as the API accepts them. */
export function creditBody(contract: RecordJson, serviceDate: string) {
  const { clientId, serviceName, serviceType, serviceFee, taxPercent, notes } = creditOf(contract, serviceDate)
  const amounts = { serviceFee: exactNumber(String(serviceFee)), taxPercent: exactNumber(String(taxPercent)) }
  return { clientId, serviceName, serviceType, serviceDate, notes, ...amounts }
}
