import { z } from 'zod'
import { memoized } from '../../shared/async/memoized.ts'
import { structured } from '../../shared/events/envelope.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import { rowsLimitText, secondsText } from '../../shared/fields/lists.ts'
import { text } from '../../shared/fields/text.ts'
import { fromTimestampText, timestampText, upToTimestampText } from '../../shared/fields/timestamp.ts'
import type { FeedPage } from '../events/feed.ts'
import { author } from './fields.ts'

const TYPES = Object.keys(EVENT_TYPES)

/** Which events are requested. */
export const feedQuery = z.strictObject({
  after: text({ min: 1, max: 500, expected: 'the `next` of an earlier answer, or `now`' }).optional().meta({
    description:
      'The `next` of an earlier answer: only what comes after it. `now`: only what happens from now on. Absent: from the beginning.',
  }),
  limit: rowsLimitText.meta({ description: 'How many events to return at most; fewer if they are long.' }),
  types: text({ min: 1, max: 1_000, expected: `some of, separated by commas: ${TYPES.join(', ')}` })
    .transform((list) => list.split(','))
    .optional()
    .meta({
      description: `Only these types, separated by commas, of ${TYPES.map((type) => `\`${type}\``).join(', ')}. Absent: all that the key may read.`,
      examples: ['mint.contract.created.v1,mint.contract.edited.v1'],
    }),
  by: text({ min: 1, max: 200, expected: 'the `by` of an event in a history' })
    .optional()
    .meta({ description: 'Only what this principal has done: the `by` of histories.' }),
  since: fromTimestampText.optional().meta({ description: 'Only what happened at this moment or later.' }),
  until: upToTimestampText.optional().meta({ description: 'Only what happened up to and including this moment.' }),
  wait: secondsText(30).meta({
    description: 'How many seconds to wait for the first event when there is none yet.',
  }),
})

const example = {
  specversion: '1.0',
  id: 'mint/contracts/17',
  source: 'mint/contracts',
  type: 'mint.contract.edited.v1',
  subject: '7',
  time: '2026-01-31T09:30:00.000Z',
  datacontenttype: 'application/json',
  recordversion: 2,
  actor: '6fa1c9de-39a5-5a7e-8b5c-d7c1a4b5e601',
  actorname: 'Website',
  changed: 'notes,updatedAt',
  data: { id: 7, notes: 'By phone', updatedAt: '2026-01-31T09:30:00.000Z', version: 2 },
}

/** An event as the feed shows it. */
export const eventShape = z
  .object({
    specversion: z.literal('1.0'),
    id: z.string().meta({ description: 'Never changes, even after an import.' }),
    source: z.enum(['mint/contracts', 'mint/businesses']),
    type: z.string().meta({ description: 'What happened, for example `mint.contract.created.v1`.' }),
    subject: z.string().meta({ description: 'The record’s id; `contracts` for the closing, `firm` for the firm.' }),
    time: timestampText,
    datacontenttype: z.literal('application/json'),
    recordversion: z.int().min(1).meta({ description: 'The version of the record after the event: its ETag then.' }),
    actor: author,
    actorname: z.string().optional().meta({ description: 'Their name; absent when it is unknown.' }),
    changed: z.string().meta({ description: 'The names of the fields that the event set, separated by commas.' }),
    overridereason: z.string().optional().meta({ description: 'Why it was written into a closed period, if it was.' }),
    traceparent: z.string().optional().meta({ description: 'The span of the request that did it, if it was traced.' }),
    // With fields of its own, many generated clients would drop all others.
    data: z
      .looseObject({})
      .meta({ description: 'The record after the event, as its own path shows it, with its version.' }),
  })
  .meta({ id: 'Event', description: 'A CloudEvent 1.0.', examples: [example] })

/** A page of the feed. */
export const feedPageShape = z
  .object({
    events: z.array(eventShape),
    next: z.string().meta({ description: 'What to give as `after` for the events that follow. Valid for ever.' }),
    more: z.boolean().meta({ description: 'Whether there is more to read now; then `events` may be empty.' }),
  })
  .meta({ id: 'EventPage', examples: [{ events: [example], next: 'eyJjb250cmFjdHMiOiIxNyJ9', more: false }] })

/** The page as JSON, serialised once for all callers who get the same one. */
export const feedPageJson = memoized(({ events, next, more }: FeedPage): Buffer => {
  return Buffer.from(`{"events":[${events.map(structured).join()}],"next":${JSON.stringify(next)},"more":${more}}`)
})
