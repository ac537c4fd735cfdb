import { addMonths, lastDayOf, monthOf } from '../format/calendar.ts'
import { text } from '../languages/texts.ts'
import type { NamedPeriod } from '../overview/period.ts'

/** The periods that statements are usually made for, relative to a day. */
export function usualPeriods(today: string): readonly [NamedPeriod, ...NamedPeriod[]] {
  const month = monthOf(today)
  const quarter = addMonths(month, -((Number(month.slice(5)) - 1) % 3))
  const year = `${month.slice(0, 4)}-01`
  return [
    usual(text('statement.lastMonth'), addMonths(month, -1), 1),
    usual(text('statement.thisMonth'), month, 1),
    usual(text('statement.lastQuarter'), addMonths(quarter, -3), 3),
    usual(text('statement.thisQuarter'), quarter, 3),
    usual(text('statement.lastYear'), addMonths(year, -12), 12),
    usual(text('statement.thisYear'), year, 12),
  ]
}

function usual(label: string, first: string, count: number): NamedPeriod {
  return { label, from: `${first}-01`, to: lastDayOf(addMonths(first, count - 1)) }
}
