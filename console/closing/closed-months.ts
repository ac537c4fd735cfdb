import Big from 'big.js'
import { lastDayOf, monthOf } from '../format/calendar.ts'
import { addUp, type MonthSums } from '../overview/sums.ts'
import type { ClosedSpan } from './closing.ts'

/** Reports of days that have been closed since the same moment: as of then, and now. */
export interface SpanReports {
  readonly since: string
  readonly before: readonly MonthSums[]
  readonly now: readonly MonthSums[]
}

/** What a closed month billed when it was closed, and what it bills now. */
export interface ClosedMonth {
  readonly month: string
  readonly since: string
  readonly before: string
  readonly now: string
}

/** What all closed months billed when they were closed, and what they bill now. */
export function totalsOf(reports: readonly SpanReports[]) {
  return { before: addUp(reports.flatMap(({ before }) => before)), now: addUp(reports.flatMap(({ now }) => now)) }
}

/** The months of a span among those of all spans; undefined: it shares one with another span. */
export function wholeMonthsOf({ from = '', through }: ClosedSpan, months: readonly MonthSums[]) {
  if (!/^$|-01$/.test(from) || through !== lastDayOf(monthOf(through))) return undefined
  return months.filter(({ month }) => monthOf(from) <= month && month <= monthOf(through))
}

/** The months of reports, the newest first. One that was closed in parts is there once for each. */
export function closedMonths(reports: readonly SpanReports[]): readonly ClosedMonth[] {
  const billedIn = (rows: readonly MonthSums[], month: string) => rows.find((row) => row.month === month)?.billed ?? '0'
  const months = reports.flatMap(({ since, before, now }) => {
    const names = [...new Set([...before, ...now].map(({ month }) => month))].sort()
    return names.map((month) => ({ month, since, before: billedIn(before, month), now: billedIn(now, month) }))
  })
  return months.toReversed()
}

/** How many months are shown whatever they bill; the others are folded. */
export const SHOWN_MONTHS = 12

/** The newest months, and the earlier ones that differ. */
export function monthsToShow(months: readonly ClosedMonth[]): readonly ClosedMonth[] {
  return months.filter(({ before, now }, index) => index < SHOWN_MONTHS || !new Big(before).eq(now))
}
