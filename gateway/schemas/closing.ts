/** The schemas of requests about the closing. */
import { z } from 'zod'
import { calendarDate } from '../../shared/fields/calendar-date.ts'
import { closingReason } from '../../shared/fields/closing-fields.ts'

export const newClosing = z
  .strictObject({
    closedThrough: calendarDate.nullable().meta({
      description: 'The books are closed up to and including this day; earlier than before, or null, opens again.',
    }),
    reason: closingReason,
  })
  .meta({ id: 'NewClosing', examples: [{ closedThrough: '2026-03-31', reason: 'March is filed.' }] })

/** What the service sets by itself. */
export const computedClosingFields = ['at', 'by', 'byName'] as const
