import { isDay } from './calendar.ts'

/** Formats dates and times for the locales of a browser; `timeZone` is the browser's by default. */
export function createDates(locales: readonly string[], timeZone?: string) {
  const date = new Intl.DateTimeFormat([...locales], { dateStyle: 'medium', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat([...locales], { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat([...locales], {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  })
  return {
    /** A calendar date, `2026-03-31` or at midnight in UTC: `Mar 31, 2026`. What is no date stays as it is. */
    date: (text: string): string => (isDay(text.slice(0, 10)) ? date.format(new Date(text.slice(0, 10))) : text),
    /** A moment, in that time zone: `Mar 31, 2026, 2:30 PM`. */
    moment: (text: string): string => moment.format(new Date(text)),
    /** A month, `2026-03`: `March 2026`. */
    month: (text: string): string => month.format(new Date(`${text}-01`)),
  }
}

/** The first moment of a day in the browser's time zone; of the day `daysLater` days later. */
export function startOfDay(date: string, daysLater = 0): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const moment = new Date(2000, 0)
  // The constructor reads years before 100 as years of the twentieth century.
  moment.setFullYear(year, month - 1, day + daysLater)
  return moment.toISOString()
}

/** The first moment after a day in the browser's time zone. */
export const startOfNextDay = (date: string): string => startOfDay(date, 1)

/** The last millisecond of a day in the browser's time zone, as the API accepts it; undefined: the day isn't over. */
export function endOfDay(date: string, now: Date): string | undefined {
  const last = new Date(Date.parse(startOfNextDay(date)) - 1)
  return last < now ? last.toISOString() : undefined
}

/** The day of a moment in the browser's time zone, for a date field. */
export function dayOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** Whether a moment is the last one of its day here, as `endOfDay` makes it. */
export function isEndOfDay(moment: Date): boolean {
  return dayOf(new Date(moment.getTime() + 1)) !== dayOf(moment)
}

/** The moment that an address asks for: a timestamp, or a day, meaning its end. undefined: neither, or not over. */
export function momentOf(text: string, now: Date): string | undefined {
  if (isDay(text)) return endOfDay(text, now)
  const moment = new Date(text)
  return isDay(text.slice(0, 10)) && text[10] === 'T' && moment < now ? moment.toISOString() : undefined
}
