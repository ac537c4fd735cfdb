import { z } from 'zod'
import { calendarDateOrNull } from '../../shared/fields/calendar-date.ts'
import { closingReason } from '../../shared/fields/closing-fields.ts'
import { formatTimestamp, timestampText } from '../../shared/fields/timestamp.ts'
import type { Closing } from '../../shared/gen/mint/contracts/v1/closing.ts'
import type { KeyNames } from '../routes/authors.ts'
import { author, authorName, total } from './fields.ts'

const example = {
  closedThrough: '2026-03-31',
  reason: 'March is filed.',
  at: '2026-04-10T09:30:00.000Z',
  by: '6fa1c9de-39a5-5a7e-8b5c-d7c1a4b5e601',
  byName: 'Bookkeeping',
}

const change = z.object({
  closedThrough: calendarDateOrNull.meta({
    description: 'The day through which the books are closed; null: they are open.',
  }),
  reason: z.string(),
  at: timestampText,
  by: author,
  byName: authorName,
})

/** The closing as REST shows it: all null while nothing was ever closed. */
export const closingShape = change
  .extend({
    reason: change.shape.reason.nullable(),
    at: change.shape.at.nullable(),
    by: change.shape.by.nullable(),
  })
  .meta({ id: 'Closing', examples: [example] })

/** A page of its history. */
export const closingHistoryPage = z
  .object({
    events: z.array(
      z
        .object({ version: z.int().min(1).meta({ description: 'The ETag after it.' }), ...change.shape })
        .meta({ id: 'ClosingEvent', examples: [{ version: 1, ...example }] }),
    ),
    total,
  })
  .meta({ id: 'ClosingHistoryPage', examples: [{ events: [{ version: 1, ...example }], total: 1 }] })

/** The closing, undefined while nothing was ever closed, as REST shows it. */
export async function closingRecord(closing: Closing | undefined, keys: KeyNames) {
  if (closing === undefined) return { closedThrough: null, reason: null, at: null, by: null, byName: null }
  const { closedThrough = null, reason, at, by } = closing
  return { closedThrough, reason, at: formatTimestamp(at), by, byName: await keys.nameOf(by) }
}

export const newClosing = z
  .strictObject({
    closedThrough: calendarDateOrNull.meta({
      description: 'The day through which to close the books; an earlier one than before, or null, reopens them.',
    }),
    reason: closingReason,
  })
  .meta({ id: 'ClosingChange', examples: [{ closedThrough: '2026-03-31', reason: 'March is filed.' }] })

/** Fields that the service sets itself. */
export const computedClosingFields = ['at', 'by', 'byName'] as const
