import { exactNumber, type RecordJson } from '../api/json.ts'
import { creditOf } from '../credits/credit.ts'
import type { Field } from '../fields/fields.ts'
import { sumOf, totalWithTax } from '../format/decimals.ts'
import { decimals } from '../format/formats.ts'

/** What contracts bill with tax; with `changes`, what they would bill. */
export function totalOf(contracts: readonly RecordJson[], changes: RecordJson = {}): string {
  const changed = contracts.map((contract): RecordJson => ({ ...contract, ...changes }))
  const total = ({ serviceFee, taxPercent }: RecordJson) => totalWithTax(String(serviceFee), String(taxPercent))
  return sumOf(changed.map((contract) => decimals.billed(total(contract))))
}

/** The fields of a contract's credit that callers give, as the API accepts them. */
export function creditBody(contract: RecordJson, serviceDate: string, fields: readonly Field[]): RecordJson {
  const { serviceFee, taxPercent, ...credit } = creditOf(contract, serviceDate)
  const amounts = { serviceFee: exactNumber(String(serviceFee)), taxPercent: exactNumber(String(taxPercent)) }
  const given = fields.filter(({ name, isGiven }) => isGiven && name in credit)
  return { ...Object.fromEntries(given.map(({ name }) => [name, credit[name]])), ...amounts }
}
