import { addMonths, isDay, lastDayOf, monthOf } from '../format/calendar.ts'
import type { Query } from '../frame/address.ts'
import { text } from '../languages/texts.ts'

/** Days of the calendar, both included; undefined: without an end in that direction. */
export interface Period {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** A period that is chosen with a click. */
export interface NamedPeriod extends Period {
  readonly label: string
}

/** The value of the parameter `period` for all time. */
export const ALL_TIME = 'all'

/** The period that an address asks for, or else another one. */
export function periodOf({ serviceDateFrom, serviceDateTo, period }: Query, otherwise: Period): Period {
  const [from, to] = [dayIn(serviceDateFrom), dayIn(serviceDateTo)]
  if (from !== undefined || to !== undefined) return { from, to }
  return period === ALL_TIME ? { from, to } : { from: otherwise.from, to: otherwise.to }
}

/** A whole year. */
export function yearOf(year: string): Period {
  return { from: `${year}-01-01`, to: `${year}-12-31` }
}

/** The year of a day, the one before and all time. */
export function years(today: string): readonly [NamedPeriod, ...NamedPeriod[]] {
  const year = today.slice(0, 4)
  const before = String(Number(year) - 1).padStart(4, '0')
  return [
    { label: year, ...yearOf(year) },
    { label: before, ...yearOf(before) },
    { label: text('overview.days.allTime'), from: undefined, to: undefined },
  ]
}

/** A text if it is a day of the calendar, or else undefined. */
export const dayIn = (text: string | undefined): string | undefined =>
  text !== undefined && isDay(text) ? text : undefined

/**
 * The same days a year earlier; a period that ends with February does so in a leap year, too. undefined: nothing comes
 * before the year 1, which a date field reports while somebody types 1998.
 */
export function yearBefore({ from, to }: Period): Period | undefined {
  if ([from, to].some((day) => day?.startsWith('0001'))) return undefined
  return { from: from && earlierDay(from, false), to: to && earlierDay(to, to === lastDayOf(monthOf(to))) }
}

function earlierDay(day: string, isLastOfMonth: boolean): string {
  const last = lastDayOf(addMonths(monthOf(day), -12))
  const same = last.slice(0, 8) + day.slice(8)
  return isLastOfMonth || same > last ? last : same
}

/** Whether a period can be compared with the year before. */
export const isComparable = (period: Period): boolean =>
  period.from !== undefined && period.to !== undefined && yearBefore(period) !== undefined

/** The days of a month that lie in a period. */
export function daysOfMonth(month: string, { from = '', to = '9999-12-31' }: Period): Period {
  const [first, last] = [`${month}-01`, lastDayOf(month)]
  return { from: first < from ? from : first, to: last > to ? to : last }
}
