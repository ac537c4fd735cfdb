import { z } from 'zod'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import { choice } from '../../shared/fields/choice.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { typeMessage, type ViolationCode, violate } from '../../shared/fields/rule.ts'
import { text } from '../../shared/fields/text.ts'
import { formatTimestamp, fromTimestampText, timestampText } from '../../shared/fields/timestamp.ts'
import type { WebhookDetails } from '../../shared/webhooks/administration.ts'
import { MAX_WEBHOOKS } from '../../shared/webhooks/decide.ts'
import type { Delivery } from '../../shared/webhooks/progress.ts'
import { timestampOrNull } from './api-key-record.ts'
import { total } from './fields.ts'

export const webhookPath = z.strictObject({ id: uuidLike.meta({ description: 'The id of the webhook.' }) })

const TYPES = Object.keys(EVENT_TYPES) as [string, ...string[]]
const meanings = Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { about }]) => [type, about]))
const TYPES_EXPECTED = `a list of: ${TYPES.join(', ')}`

/** Of a longer list than there are types the beginning is wrong already. */
const types = z.preprocess(
  (value) => (Array.isArray(value) ? value.slice(0, TYPES.length + 1) : value),
  z
    .array(choice(TYPES).meta({ 'x-enumDescriptions': meanings }), { error: typeMessage(TYPES_EXPECTED) })
    .meta({ uniqueItems: true, description: 'Which events it gets; empty: all, also those of a later version.' })
    .refine((value) => new Set(value).size === value.length, {
      error: 'A type is in it twice. Give each once.',
      params: { violation: 'given_twice' satisfies ViolationCode },
    }),
)

const paused = z.boolean({ error: typeMessage('true or false') }).meta({ description: 'Whether it waits.' })

const MAX_URL = 2_000
const HTTPS_ALONE = 'https (http needs WEBHOOK_ALLOWED_NETWORKS)'

/** `http`: where a setting names networks, which only an attempt can find out about. */
function urlRule(allowsHttp: boolean) {
  const schemes = allowsHttp ? ['https:', 'http:'] : ['https:']
  const expected = `a URL with ${allowsHttp ? 'https or http' : HTTPS_ALONE}, without user and password`
  return text({ min: 1, max: MAX_URL })
    .superRefine((value, context) => {
      const url = URL.parse(value)
      const isFine = url && schemes.includes(url.protocol) && url.username === '' && url.password === ''
      if (!isFine) violate(context, 'invalid_url', `Not a URL that Mint delivers to. Give ${expected}.`)
    })
    .meta({ format: 'uri', description: `Where events are posted to: ${expected}.` })
}

/** What requests may hold. */
export function webhookRules(allowsHttp: boolean) {
  const url = urlRule(allowsHttp)
  const description = text({ min: 0, max: 200 })
  return {
    creation: z
      .strictObject({ url, types: types.default([]), description: description.default('') })
      .meta({ id: 'NewWebhook', examples: [{ url: example.url, types: example.types }] }),
    changes: z
      .strictObject({ url, types, description, paused })
      .partial()
      .meta({ id: 'WebhookChanges', examples: [{ paused: false }] }),
  }
}

export const replayOfWebhook = z
  .strictObject({ since: fromTimestampText.meta({ description: 'Events from this time on are sent again.' }) })
  .meta({ id: 'WebhookReplay', examples: [{ since: '2026-01-31T00:00:00.000Z' }] })

/** What the gateway sets by itself, and refuses on input. */
export const computedWebhookFields = [
  'id',
  'pausedReason',
  'createdAt',
  'updatedAt',
  'lastDeliveredAt',
  'lastFailure',
  'waiting',
  'secret',
]

const example = {
  id: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  url: 'https://example.com/mint',
  types: ['mint.contract.created.v1'],
  description: 'Invoicing',
  paused: false,
  pausedReason: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
  lastDeliveredAt: '2026-02-01T08:00:00.000Z',
  lastFailure: null,
  waiting: 0,
}

const status = z.int().nullable().meta({ description: 'Of the answer; null: there was none.' })

/** A webhook as REST shows it, without its secret. */
export const webhookShape = z
  .object({
    id: z.guid(),
    url: z.string(),
    types: z.array(z.string()),
    description: z.string(),
    paused: z.boolean(),
    pausedReason: z.enum(['manual', 'gone', 'failing']).nullable().meta({
      description: '`gone`: its receiver answered 410; `failing`: nothing has arrived for five days. null: not paused.',
    }),
    createdAt: timestampText,
    updatedAt: timestampText,
    lastDeliveredAt: timestampText.nullable(),
    lastFailure: z.object({ at: timestampText, status, reason: z.string() }).nullable(),
    waiting: z.int().min(0).meta({
      description: 'How many events wait. It counts about 1,000 at most: more are taken up when those have arrived.',
    }),
  })
  .meta({ id: 'Webhook', examples: [example] })

/** The answer that a secret is in: the only one ever. */
export const issuedWebhookShape = webhookShape
  .extend({ secret: z.string().meta({ description: 'Verifies deliveries. It is shown this once: keep it.' }) })
  .meta({
    id: 'IssuedWebhook',
    examples: [{ ...example, lastDeliveredAt: null, secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=' }],
  })

export const webhookList = z
  .object({ webhooks: z.array(webhookShape).max(MAX_WEBHOOKS), total })
  .meta({ id: 'WebhookList', examples: [{ webhooks: [example], total: 1 }] })

export const webhookTestShape = z
  .object({ eventId: z.string().meta({ description: 'The `webhook-id` of the test event.' }) })
  .meta({ id: 'WebhookTest', examples: [{ eventId: `mint/webhooks/${example.id}` }] })

const deliveryExample = {
  eventId: 'mint/contracts/4711',
  type: 'mint.contract.created.v1',
  subject: '7',
  attempt: 1,
  at: '2026-02-01T08:00:00.000Z',
  status: 503,
  reason: 'The receiver answered 503.',
  milliseconds: 17,
  nextAttemptAt: '2026-02-01T08:00:05.000Z',
}

const deliveryShape = z
  .object({
    eventId: z.string(),
    type: z.string(),
    subject: z.string(),
    attempt: z.int().min(1),
    at: timestampText,
    status,
    reason: z.string().nullable().meta({ description: 'Why it failed; null: it did not.' }),
    milliseconds: z.int().min(0),
    nextAttemptAt: timestampText.nullable(),
  })
  .meta({ id: 'WebhookDelivery', examples: [deliveryExample] })

export const deliveryList = z
  .object({ deliveries: z.array(deliveryShape), total })
  .meta({ id: 'WebhookDeliveryList', examples: [{ deliveries: [deliveryExample], total: 1 }] })

/** A webhook as REST shows it. */
export function webhookRecord(webhook: WebhookDetails): z.output<typeof webhookShape> {
  const { id, url, types, description, pausedReason, lastFailure, waiting } = webhook
  return {
    ...{ id, url, types: [...types], description, paused: pausedReason !== null, pausedReason },
    createdAt: formatTimestamp(webhook.createdAt),
    updatedAt: formatTimestamp(webhook.updatedAt),
    lastDeliveredAt: timestampOrNull(webhook.lastDeliveredAt),
    lastFailure: lastFailure && { ...lastFailure, at: formatTimestamp(lastFailure.at) },
    waiting,
  }
}

/** A delivery as REST shows it. */
export const deliveryRecord = (delivery: Delivery): z.output<typeof deliveryShape> => ({
  ...delivery,
  at: formatTimestamp(delivery.at),
  nextAttemptAt: timestampOrNull(delivery.nextAttemptAt),
})
