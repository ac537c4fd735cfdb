import { z } from 'zod'
import { typeMessage, violate } from './rule.ts'

const EXPECTED = 'a calendar date as YYYY-MM-DD, for example 2026-01-31'

/** A date that exists in the calendar, as `YYYY-MM-DD`. */
export const calendarDate = z
  .string({ error: typeMessage(EXPECTED) })
  .meta({ format: 'date' })
  .superRefine((value, context) => {
    if (!isCalendarDate(value)) violate(context, 'invalid_date', `Not a date. Give ${EXPECTED}.`)
  })

/** The same, or `""` for none. */
export const calendarDateOrEmpty = z
  .string({ error: typeMessage(`${EXPECTED}, or ""`) })
  .meta({ anyOf: [{ type: 'string', format: 'date' }, { const: '' }] })
  .superRefine((value, context) => {
    if (value !== '' && !isCalendarDate(value)) {
      violate(context, 'invalid_date', `Not a date. Give ${EXPECTED}, or "" for none.`)
    }
  })

const MIDNIGHT = 'T00:00:00.000Z'

/** The same, or as records have it, at midnight in UTC, so that they can be sent back. Comes out as `YYYY-MM-DD`. */
export const calendarDateOrMidnight = z
  .string({ error: typeMessage(EXPECTED) })
  .meta({
    anyOf: [
      { type: 'string', format: 'date' },
      {
        type: 'string',
        pattern: z.regexes.date.source.replaceAll('\\d', '[0-9]').replace('$', `${MIDNIGHT.replace('.', '[.]')}$`),
      },
    ],
  })
  .transform((value, context) => {
    const date = value.endsWith(MIDNIGHT) ? value.slice(0, -MIDNIGHT.length) : value
    if (isCalendarDate(date)) return date
    violate(context, 'invalid_date', `Not a date. Give ${EXPECTED}; of the times of day, ${MIDNIGHT} alone is taken.`)
    return z.NEVER
  })

/** Whether a text is a date that exists in the calendar, as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  return ISO_DATE.safeParse(text).success
}

const ISO_DATE = z.iso.date()
