import Big from 'big.js'
import { addUp, type Sums } from '../overview/sums.ts'

/** A row of a report by month. */
interface MonthBilled {
  readonly month: string
  readonly billed: string
}

/** Reports of days that have been closed since the same moment: as of then, and now. */
export interface SpanReports {
  readonly since: string
  readonly before: readonly MonthBilled[]
  readonly now: readonly MonthBilled[]
  /** Over all of their months. */
  readonly sums: { readonly before: Sums; readonly now: Sums }
}

/** What a closed month billed when it was closed, and what it bills now. */
export interface ClosedMonth {
  readonly month: string
  readonly since: string
  readonly before: string
  readonly now: string
}

/** What all of them billed when they were closed, and what they bill now. */
export function totalsOf(reports: readonly Pick<SpanReports, 'sums'>[]): SpanReports['sums'] {
  return { before: addUp(reports.map(({ sums }) => sums.before)), now: addUp(reports.map(({ sums }) => sums.now)) }
}

/** The months of reports, the newest first. One that was closed in parts is there once for each. */
export function closedMonths(reports: readonly Omit<SpanReports, 'sums'>[]): readonly ClosedMonth[] {
  const billedIn = (rows: readonly MonthBilled[], month: string) =>
    rows.find((row) => row.month === month)?.billed ?? '0'
  const months = reports.flatMap(({ since, before, now }) => {
    const names = [...new Set([...before, ...now].map(({ month }) => month))].sort()
    return names.map((month) => ({ month, since, before: billedIn(before, month), now: billedIn(now, month) }))
  })
  return months.toReversed()
}

/** How many months are shown whatever they bill. */
const MONTHS = 12

/** The newest months, and the earlier ones that differ. */
export function monthsToShow(months: readonly ClosedMonth[]): readonly ClosedMonth[] {
  return months.filter(({ before, now }, index) => index < MONTHS || !new Big(before).eq(now))
}
