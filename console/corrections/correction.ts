import { exactNumber, type RecordJson } from '../api/json.ts'
import { creditOf } from '../credits/credit.ts'
import { sumOf, totalWithTax } from '../format/decimals.ts'

/** The exact total of contracts with tax; with `changes`, what it would be. */
export function totalOf(contracts: readonly RecordJson[], changes: RecordJson = {}): string {
  const changed = contracts.map((contract): RecordJson => ({ ...contract, ...changes }))
  return sumOf(changed.map(({ serviceFee, taxPercent }) => totalWithTax(String(serviceFee), String(taxPercent))))
}

/** The fields of a contract's credit, as the API accepts them. */
export function creditBody(contract: RecordJson, serviceDate: string) {
  const { clientId, serviceName, serviceType, serviceFee, taxPercent, notes } = creditOf(contract, serviceDate)
  const amounts = { serviceFee: exactNumber(String(serviceFee)), taxPercent: exactNumber(String(taxPercent)) }
  return { clientId, serviceName, serviceType, serviceDate, notes, ...amounts }
}
