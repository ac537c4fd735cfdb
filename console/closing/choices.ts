import { addMonths, lastDayOf, monthOf } from '../format/calendar.ts'

/** How far back months are offered if nothing was ever closed. */
const MONTHS_BACK = 24
/** How far back they are offered at most, if they have been left open for long. */
const MAX_MONTHS = 120
/** How many months back the books can be reopened here. */
const MONTHS_TO_REOPEN = 12

/** The months through which the books can be closed next: up to the one of `today`, the one to suggest first named. */
export function monthsToClose(
  closedThrough: string | null,
  today: string,
): { readonly months: readonly string[]; readonly suggested: string } {
  const current = monthOf(today)
  const open = closedThrough === null ? addMonths(current, -MONTHS_BACK) : firstOpenMonth(closedThrough)
  const earliest = addMonths(current, -MAX_MONTHS)
  const first = open > earliest ? open : earliest
  const months = [first]
  while ((months.at(-1) ?? first) < current) months.push(addMonths(months.at(-1) ?? first, 1))
  return { months, suggested: closedThrough === null ? addMonths(current, -1) : first }
}

/** The first month of which at least a day is open. */
function firstOpenMonth(closedThrough: string): string {
  const month = monthOf(closedThrough)
  return closedThrough === lastDayOf(month) ? addMonths(month, 1) : month
}

/** The days through which the books can stay closed when they are reopened, the latest first. */
export function daysToReopen(closedThrough: string): readonly string[] {
  const month = monthOf(closedThrough)
  return Array.from({ length: MONTHS_TO_REOPEN }, (_, index) => lastDayOf(addMonths(month, -1 - index)))
}
