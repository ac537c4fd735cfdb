import { addMonths, lastDayOf, monthOf } from '../format/calendar.ts'
import type { Period } from './period.ts'
import { addUp, type Billed, changeOf, differenceOf, type MonthSums, noSums, type Sums } from './sums.ts'

/** A month compared with the same month of the year before. */
export interface MonthRow {
  /** `2026-03` */
  readonly month: string
  readonly sums: Sums
  readonly before: Sums
  /** What was billed in the month less what was in that of the year before. */
  readonly difference: Billed
  /** The same as a share of the year before; undefined: nothing was billed then. */
  readonly change: number | undefined
  /** Whether the books are closed through its last day, or through some day in it. */
  readonly closed: 'all' | 'part' | 'none'
  /** It hasn't begun, and nothing is billed in it. */
  readonly isToCome: boolean
}

/** Beyond this many months, those in which nothing was billed are left out. */
const MAX_MONTHS = 120

interface Months {
  readonly period: Period
  readonly months: readonly MonthSums[]
  /** Of the year before the period. */
  readonly before: readonly MonthSums[]
  readonly closedThrough: string | null
  readonly today: string
}

/** A row for each month of a period. */
export function monthRows({ period, months, before, closedThrough, today }: Months): readonly MonthRow[] {
  const sumsOf = new Map(months.map((sums) => [sums.month, sums]))
  const beforeOf = new Map(before.map((sums) => [addMonths(sums.month, 12), sums]))
  return monthsIn(period, [...sumsOf.keys(), ...inPeriod([...beforeOf.keys()], period)]).map((month) => {
    const [sums, before] = [sumsOf.get(month) ?? noSums, beforeOf.get(month) ?? noSums]
    return {
      month,
      sums,
      before,
      ...compared(sums, before),
      closed: closedPart(month, closedThrough),
      isToCome: month > monthOf(today) && sums.count === 0,
    }
  })
}

/** For all time, months after the last one have a year before, too, which says nothing. */
function inPeriod(months: readonly string[], { from, to }: Period): readonly string[] {
  return from === undefined || to === undefined ? [] : months
}

/** The months that are shown: all of a period that isn't too long, else those with figures and those between them. */
function monthsIn({ from, to }: Period, withFigures: readonly string[]): readonly string[] {
  const sorted = [...new Set(withFigures)].sort()
  const [first, last] = [from ? monthOf(from) : sorted[0], to ? monthOf(to) : sorted.at(-1)]
  return filled(first, last) ?? filled(sorted[0], sorted.at(-1)) ?? sorted
}

/** All months from one to another; undefined: too many. */
function filled(first: string | undefined, last: string | undefined): readonly string[] | undefined {
  const months: string[] = []
  for (let month = first; month !== undefined && last !== undefined && month <= last; month = addMonths(month, 1)) {
    if (months.length === MAX_MONTHS) return undefined
    months.push(month)
  }
  return months
}

function closedPart(month: string, closedThrough: string | null): MonthRow['closed'] {
  if (closedThrough === null || closedThrough < `${month}-01`) return 'none'
  return closedThrough >= lastDayOf(month) ? 'all' : 'part'
}

const compared = (sums: Sums, before: Sums) => ({
  difference: differenceOf(sums, before),
  change: changeOf(sums, before),
})

/** The rows added up, and compared with the year before. */
export function totalOf(rows: readonly MonthRow[]): Pick<MonthRow, 'sums' | 'before' | 'difference' | 'change'> {
  const sums = addUp(rows.map((row) => row.sums))
  const before = addUp(rows.map((row) => row.before))
  return { sums, before, ...compared(sums, before) }
}
