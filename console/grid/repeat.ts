import type { RecordJson } from '../api/json.ts'
import { addMonths, lastDayOf, monthOf } from '../format/calendar.ts'

/** The same day a month later, or the last one of that month. */
export function monthLater(day: string): string {
  const month = addMonths(monthOf(day), 1)
  const same = `${month}${day.slice(7)}`
  const last = lastDayOf(month)
  return same < last ? same : last
}

/** The services of a month to be repeated, oldest first, with their dates moved on. A credit isn't given twice. */
export function toRepeat(contracts: readonly RecordJson[]): readonly RecordJson[] {
  return contracts
    .filter(({ serviceFee }) => Number(serviceFee) >= 0)
    .map((contract): RecordJson => ({ ...contract, serviceDate: monthLater(contract.serviceDate.slice(0, 10)) }))
    .toSorted((one, other) => one.serviceDate.localeCompare(other.serviceDate) || one.id - other.id)
}
