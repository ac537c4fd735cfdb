/** `2026-03-31` → `2026-03`. */
export const monthOf = (day: string): string => day.slice(0, 7)

/** `2026-03` → `2026-03-31`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, number, 0)
  return `${month}-${date.getUTCDate()}`
}

/** The month that is `count` months later. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const index = year * 12 + number - 1 + count
  return `${digits(Math.floor(index / 12), 4)}-${digits((index % 12) + 1, 2)}`
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** `2026-02-28` → `2026-03-01`. */
export function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

/** Whether a text is a day of the calendar as Mint accepts it, `2026-03-31`. */
export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
