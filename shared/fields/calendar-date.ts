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

/** Whether a text is a date that exists in the calendar, as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  return ISO_DATE.safeParse(text).success
}

const ISO_DATE = z.iso.date()
