import { z } from 'zod'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import { choice } from '../../shared/fields/choice.ts'
import { recordExampleOf, recordShapeOf, type ShownTable, toRecordBy } from '../../shared/fields/field-table.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { typeMessage, violate } from '../../shared/fields/rule.ts'
import { text } from '../../shared/fields/text.ts'
import { formatTimestamp, fromTimestampText, timestampText } from '../../shared/fields/timestamp.ts'
import type { WebhookDetails } from '../../shared/webhooks/administration.ts'
import { MAX_WEBHOOKS } from '../../shared/webhooks/decide.ts'
import type { Delivery, Failure } from '../../shared/webhooks/progress.ts'
import { listOf, pageOf, time, timeOrNull, total } from './fields.ts'

export const webhookPath = z.strictObject({ id: uuidLike.meta({ description: 'The id of the webhook.' }) })

const TYPES = Object.keys(EVENT_TYPES) as [string, ...string[]]
const meanings = Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { about }]) => [type, about]))

const eventType = choice(TYPES).meta({ id: 'EventType', 'x-enumDescriptions': meanings })

const types = listOf('type', eventType, `a list of: ${TYPES.join(', ')}`).meta({
  description: 'Which events it gets; empty: all, including types added later.',
})

const paused = z.boolean({ error: typeMessage('true or false') }).meta({ description: 'Whether it is paused.' })

const MAX_URL = 2_000
/** URL.parse also accepts what it has to repair, such as missing slashes and spaces around the URL. */
const WRITTEN = /^\w+:\/\/[^\s\\]+$/
const HTTPS_ONLY = 'https (http needs WEBHOOK_ALLOWED_NETWORKS)'

/** `allowsHttp`: whether a setting names networks; whether the URL is in one is only known at an attempt. */
function urlRule(allowsHttp: boolean) {
  const schemes = allowsHttp ? ['https:', 'http:'] : ['https:']
  const expected = `a URL with ${allowsHttp ? 'https or http' : HTTPS_ONLY}, without user and password`
  return text({ min: 1, max: MAX_URL, expected })
    .superRefine((value, context) => {
      const url = URL.parse(value)
      const isWhole = WRITTEN.test(value) && url?.username === '' && url.password === ''
      if (!isWhole || !schemes.includes(url.protocol))
        violate(context, 'invalid_url', `Not a URL that Mint delivers to. Give ${expected}.`)
    })
    .meta({ format: 'uri', description: `Where events are posted to: ${expected}.` })
}

/** What requests may contain. */
export function webhookRules(allowsHttp: boolean) {
  const url = urlRule(allowsHttp)
  const description = text({ min: 0, max: 200 })
  return {
    creation: z.strictObject({ url, types: types.default([]), description: description.default('') }).meta({
      id: 'WebhookCreation',
      examples: [{ url: webhookFields.url.example, types: webhookFields.types.example }],
    }),
    changes: z
      .strictObject({ url, types, description, paused })
      .partial()
      .meta({ id: 'WebhookChanges', examples: [{ paused: false }] }),
  }
}

export const replayOfWebhook = z
  .strictObject({ since: fromTimestampText.meta({ description: 'Events from this time on are sent again.' }) })
  .meta({ id: 'WebhookReplay', examples: [{ since: '2026-01-31T00:00:00.000Z' }] })

const EDITABLE = ['url', 'types', 'description', 'paused']

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const status = z.int().nullable().meta({ description: 'The status of the answer; null: there was none.' })

const webhookFields = {
  id: { shown: z.guid(), example: ID },
  url: { shown: z.string(), example: 'https://example.com/mint' },
  types: { shown: z.array(z.string()), example: ['mint.contract.created.v1'] },
  description: { shown: z.string(), example: 'Invoicing' },
  paused: { shown: z.boolean(), example: false },
  pausedReason: {
    shown: z.enum(['manual', 'gone', 'failing']).nullable().meta({
      description: '`gone`: its receiver answered 410; `failing`: nothing has arrived for five days. null: not paused.',
    }),
    example: null,
  },
  createdAt: time('2026-01-31T09:30:00.000Z'),
  updatedAt: time('2026-01-31T09:30:00.000Z'),
  lastDeliveredAt: timeOrNull('2026-02-01T08:00:00.000Z'),
  lastFailure: {
    shown: z.object({ at: timestampText, status, reason: z.string() }).nullable(),
    toJson: (failure: Failure | null) => failure && { ...failure, at: formatTimestamp(failure.at) },
    example: null,
  },
  waiting: {
    shown: z.int().min(0).meta({
      description:
        'How many events wait to be delivered: about 1,000 at most, as more are read once those have arrived.',
    }),
    example: 0,
  },
} satisfies ShownTable<WebhookDetails & { readonly paused: boolean }>

/** Fields that the gateway sets itself, and refuses on input. */
export const computedWebhookFields = [...Object.keys(webhookFields), 'secret'].filter(
  (name) => !EDITABLE.includes(name),
)

/** A webhook as REST shows it, without its secret. */
export const webhookShape = recordShapeOf(webhookFields, 'Webhook')
const example = recordExampleOf(webhookFields)

/** The only answer that ever contains the secret. */
export const issuedWebhookShape = webhookShape
  .extend({ secret: z.string().meta({ description: 'Verifies deliveries. It is shown only once: store it.' }) })
  .meta({
    id: 'IssuedWebhook',
    examples: [{ ...example, lastDeliveredAt: null, secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=' }],
  })

export const webhookList = z
  .object({ webhooks: z.array(webhookShape).max(MAX_WEBHOOKS), total })
  .meta({ id: 'WebhookList', examples: [{ webhooks: [example], total: 1 }] })

export const webhookTestShape = z
  .object({ eventId: z.string().meta({ description: 'The `webhook-id` of the test event.' }) })
  .meta({ id: 'SentTest', examples: [{ eventId: `mint/webhooks/${ID}` }] })

const deliveryFields = {
  eventId: { shown: z.string(), example: 'mint/contracts/4711' },
  type: { shown: z.string(), example: 'mint.contract.created.v1' },
  subject: { shown: z.string(), example: '7' },
  attempt: { shown: z.int().min(1), example: 1 },
  at: time('2026-02-01T08:00:00.000Z'),
  status: { shown: status, example: 503 },
  reason: {
    shown: z.string().nullable().meta({ description: 'Why it failed; null: it did not.' }),
    example: 'The receiver answered 503.',
  },
  milliseconds: { shown: z.int().min(0), example: 17 },
  nextAttemptAt: timeOrNull('2026-02-01T08:00:05.000Z'),
} satisfies ShownTable<Delivery>

const deliveryShape = recordShapeOf(deliveryFields, 'WebhookDelivery')

export const deliveryList = pageOf('WebhookDeliveryList', 'deliveries', deliveryShape, recordExampleOf(deliveryFields))

const toRecord = toRecordBy(webhookFields)

/** A webhook as REST shows it. */
export const webhookRecord = (webhook: WebhookDetails) =>
  toRecord({ ...webhook, paused: webhook.pausedReason !== null }) as z.output<typeof webhookShape>

/** A delivery as REST shows it. */
export const deliveryRecord = toRecordBy<Delivery>(deliveryFields) as (
  delivery: Delivery,
) => z.output<typeof deliveryShape>
