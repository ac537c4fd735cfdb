import { z } from 'zod'
import { typeMessage, violate, withoutAnchors } from './rule.ts'

const EXPECTED = 'a calendar date as YYYY-MM-DD from the year 0001 on, for example 2026-01-31'
/** Restricts years to 0001 and later, which the format `date` doesn't. Has no lookahead, which not all tools support. */
const SCHEMA = { type: 'string', not: { pattern: '^0000' } } as const

const DATE = { ...SCHEMA, format: 'date' } as const

/** For a date with an alternative, one pattern: from `anyOf`, some generators make clients that don't compile. */
const DATE_PATTERN = withoutAnchors(z.regexes.date).replaceAll('\\d', '[0-9]')

/** A date that exists in the calendar, as `YYYY-MM-DD`. */
export const calendarDate = dateText(EXPECTED).meta(DATE)

/** A calendar date, or null for none. */
export const calendarDateOrNull = dateText(`${EXPECTED}, or null for none`).meta(DATE).nullable()

/** A calendar date, or `""` for none. */
export const calendarDateOrEmpty = dateText(`${EXPECTED}, or "" for none`, '').meta({
  ...SCHEMA,
  pattern: `^(?:${DATE_PATTERN})?$`,
})

function dateText(expected: string, none?: string) {
  return z.string({ error: typeMessage(expected) }).superRefine((value, context) => {
    if (value !== none && !isCalendarDate(value)) violate(context, 'invalid_date', `Not a date. Give ${expected}.`)
  })
}

const MIDNIGHT = 'T00:00:00.000Z'

/** A calendar date, or midnight in UTC as in records, so that they can be sent back. Results in `YYYY-MM-DD`. */
export const calendarDateOrMidnight = z
  .string({ error: typeMessage(EXPECTED) })
  .meta({ ...SCHEMA, pattern: `^${DATE_PATTERN}(?:${MIDNIGHT.replace('.', '[.]')})?$` })
  .transform((value, context) => {
    const date = value.endsWith(MIDNIGHT) ? value.slice(0, -MIDNIGHT.length) : value
    if (isCalendarDate(date)) return date
    violate(context, 'invalid_date', `Not a date. Give ${EXPECTED}; the only time of day accepted is ${MIDNIGHT}.`)
    return z.NEVER
  })

/** Whether a text is a date that exists in the calendar, as `YYYY-MM-DD`, of the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  return ISO_DATE.safeParse(text).success && !text.startsWith('0000')
}

const ISO_DATE = z.iso.date()
