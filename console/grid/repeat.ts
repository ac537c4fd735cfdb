import type { RecordJson } from '../api/json.ts'
import { uncreditedFee } from '../credits/credit.ts'
import { addMonths, lastDayOf, monthOf } from '../format/calendar.ts'
import { bareText } from '../format/fold.ts'

/** The same day a month later, or the last one of that month. */
export function monthLater(day: string): string {
  const month = addMonths(monthOf(day), 1)
  const same = `${month}${day.slice(7)}`
  const last = lastDayOf(month)
  return same < last ? same : last
}

/**
 * The services of a month to be repeated, oldest first, dated a month later. Credits are left out, and what they have
 * reversed completely by the end of the `next` month.
 */
export function toRepeat(contracts: readonly RecordJson[], next: readonly RecordJson[]): readonly RecordJson[] {
  const isBilled = (contract: RecordJson) => {
    const left = uncreditedFee(contract, [...contracts, ...next])
    return Number(contract.serviceFee) >= 0 && (left.gt(0) || left.eq(contract.serviceFee))
  }
  return contracts
    .filter(isBilled)
    .map((contract): RecordJson => ({ ...contract, serviceDate: monthLater(contract.serviceDate.slice(0, 10)) }))
    .toSorted((one, other) => one.serviceDate.localeCompare(other.serviceDate) || one.id - other.id)
}

/** The services that aren't among others yet. If two are alike, one of them may be missing. */
export function missingFrom(others: readonly RecordJson[], services: readonly RecordJson[]): readonly RecordJson[] {
  const nameOf = ({ clientId, serviceName }: RecordJson) => `${clientId} ${bareText(serviceName ?? '')}`
  const present = others.map(nameOf)
  return services.filter((service) => {
    const at = present.indexOf(nameOf(service))
    if (at >= 0) present.splice(at, 1)
    return at < 0
  })
}
