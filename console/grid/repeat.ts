import type { RecordJson } from '../api/json.ts'
import { type Get, uncreditedFee } from '../credits/credit.ts'
import { addMonths, lastDayOf, monthOf } from '../format/calendar.ts'
import { bareText } from '../format/fold.ts'

/** The same day a month later. The last day of a month, or one that the next month doesn't have, becomes its last. */
export function monthLater(day: string): string {
  const month = addMonths(monthOf(day), 1)
  const same = `${month}${day.slice(7)}`
  const last = lastDayOf(month)
  return same < last && day !== lastDayOf(monthOf(day)) ? same : last
}

/** As many as the API lists at once. */
const PAGE_SIZE = 100

interface MonthOptions {
  readonly month: string
  /** '': all clients. */
  readonly clientId: string
  readonly most: number
}

/** How many contracts a month has, and all of them, newest first, unless there are more than `most`. */
export async function fetchMonth(get: Get, { month, clientId, most }: MonthOptions, signal: AbortSignal) {
  const query = { serviceDateFrom: `${month}-01`, serviceDateTo: lastDayOf(month), clientId, limit: PAGE_SIZE }
  const contracts: RecordJson[] = []
  for (;;) {
    // Offsets would shift while others add contracts or move them to another month.
    const after = contracts.at(-1)?.id
    const { contracts: page, total } = await get('contracts', { query: { ...query, after }, signal })
    contracts.push(...page)
    if (page.length < PAGE_SIZE || total > most) return { contracts, total }
  }
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
