import { addMonths, isDay, lastDayOf, monthOf } from '../format/calendar.ts'
import type { Query } from '../frame/address.ts'
import { text } from '../languages/texts.ts'

/** Days of the calendar, both included. */
export interface StatementPeriod {
  readonly from: string
  readonly to: string
}

/** A period that statements are often made for. */
interface UsualPeriod extends StatementPeriod {
  readonly label: string
}

/** The usual periods, seen from a day; the first is the one that a statement is for unless somebody chooses. */
export function usualPeriods(today: string): readonly [UsualPeriod, ...UsualPeriod[]] {
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

function usual(label: string, first: string, count: number): UsualPeriod {
  return { label, from: `${first}-01`, to: lastDayOf(addMonths(first, count - 1)) }
}

/** The period that an address asks for. */
export function statementPeriod({ from: first = '', to: last = '' }: Query, today: string): StatementPeriod {
  const [{ from, to }] = usualPeriods(today)
  return isDay(first) && isDay(last) ? { from: first, to: last } : { from, to }
}
