import { totalWithTax } from '../../../services/contracts/contract/decide.ts'
import type { Contract } from '../../../services/contracts/contract/evolve.ts'
import type { LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { Rule } from './checked-fold.ts'

/** What events and the states after them must agree on, by category. */
export const rules: Readonly<Record<string, Rule>> = { contract: checkTotal }

const SUMS = ['serviceFee', 'taxPercent', 'totalFeeWithTax']

/** Totals are recorded, not computed on read: this rule must hold for every one of them. */
function checkTotal({ serviceFee, taxPercent, totalFeeWithTax }: Contract, { data }: LogEvent): ReturnType<Rule> {
  if (!SUMS.some((field) => field in data)) return undefined
  const right = totalWithTax(serviceFee, taxPercent)
  if (totalFeeWithTax === right) return undefined
  const message = `${serviceFee} with ${taxPercent} % tax is ${right}, but ${totalFeeWithTax} is recorded`
  return { kind: 'total', message }
}
