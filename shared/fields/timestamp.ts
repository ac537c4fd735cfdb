import { z } from 'zod'
import { isCalendarDate } from './calendar-date.ts'
import { typeMessage, violate } from './rule.ts'

const EXPECTED =
  'a time by RFC 3339 from the year 0001 on, with seconds and Z or an offset, for example 2026-01-31T09:30:00.000Z'

/**
 * A moment by RFC 3339 with Z or an offset. Results in milliseconds since the epoch; a leap second counts as the second
 * after it, and digits finer than milliseconds are rounded.
 */
function momentText(round: 'down' | 'up') {
  return z
    .string({ error: typeMessage(EXPECTED) })
    .meta({ format: 'date-time' })
    .transform((value, context) => {
      const milliseconds = parseTimestamp(value, round)
      if (milliseconds !== undefined && isInCalendar(milliseconds)) return milliseconds
      if (milliseconds === undefined) violate(context, 'invalid_timestamp', `Not a timestamp. Give ${EXPECTED}.`)
      else violate(context, 'out_of_range', 'Out of range. Give a time whose year in UTC is 0001 to 9999.')
      return z.NEVER
    })
}

/** The end of a range, including its millisecond. */
export const upToTimestampText = momentText('down')

/** The inclusive start of a range. */
export const fromTimestampText = momentText('up')

/** A moment in a message: milliseconds since the epoch. */
export const timestamp = z
  .number({ error: typeMessage('milliseconds since 1970-01-01T00:00:00Z') })
  .superRefine((value, context) => {
    if (!Number.isSafeInteger(value) || Math.abs(value) > LATEST || !isInCalendar(value)) {
      const message = 'Out of range. Give whole milliseconds since 1970-01-01T00:00:00Z, of the years 0001 to 9999.'
      violate(context, 'out_of_range', message)
    }
  })

/** The latest moment of a Date, in milliseconds since the epoch. */
const LATEST = 8.64e15

/** Whether the year in UTC is 0001 to 9999, which an offset can move it out of. */
const isInCalendar = (milliseconds: number): boolean => /^(?!0000)\d{4}-/.test(new Date(milliseconds).toISOString())

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** Milliseconds since the epoch; undefined if the text is not a timestamp. */
export function parseTimestamp(text: string, round: 'down' | 'up'): number | undefined {
  const [, date = '', minute, second, fraction = '', offset] = RFC_3339.exec(text) ?? []
  if (!isCalendarDate(date)) return undefined
  const isLeap = second === '60'
  const whole = Date.parse(`${date}T${minute}:${isLeap ? '59' : second}${offset?.toUpperCase()}`)
  if (isLeap && !endsMonth(whole)) return undefined
  const isFiner = /[1-9]/.test(fraction.slice(3))
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + (isFiner && round === 'up' ? 1 : 0)
  return whole + (isLeap ? 1000 : 0) + milliseconds
}

/** Whether a month in UTC ends with this second, the only place for a leap second (ITU-R TF.460). */
function endsMonth(second: number): boolean {
  const next = new Date(second + 1000)
  return next.getUTCDate() === 1 && next.getTime() % 86_400_000 === 0
}

/** A time as records show it. */
export const timestampText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' })

/** Milliseconds since the epoch → `2026-01-31T09:30:00.000Z`. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
