import type { Contract } from '../../../services/contracts/contract/evolve.ts'
import { totalWithTax } from '../../../services/contracts/contract/money.ts'
import type { LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { Rule } from './folded-streams.ts'

/** What an event and the state after it must agree upon, by category. */
export const rules = { contract: checkTotal }

const SUMS = ['serviceFee', 'taxPercent', 'totalFeeWithTax']

/** Totals are recorded, not computed when they are read: this is the rule by which they all were. */
function checkTotal({ serviceFee, taxPercent, totalFeeWithTax }: Contract, { data }: LogEvent): ReturnType<Rule> {
  if (!SUMS.some((field) => field in data)) return undefined
  const right = totalWithTax(serviceFee, taxPercent)
  if (totalFeeWithTax === right) return undefined
  const message = `${serviceFee} with ${taxPercent} % tax is ${right}, recorded is ${totalFeeWithTax}`
  return { kind: 'total', message }
}
