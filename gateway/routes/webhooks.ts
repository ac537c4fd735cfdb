import type { Caller } from '../../shared/api-keys/serving/api-keys.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import type { WebhookDetails } from '../../shared/webhooks/administration.ts'
import type { Webhook } from '../../shared/webhooks/evolve.ts'
import { documentListed } from '../openapi/documented.ts'
import { rotation } from '../records/api-key-record.ts'
import {
  computedWebhookFields,
  deliveryList,
  deliveryRecord,
  issuedWebhookShape,
  replayOfWebhook,
  webhookList,
  webhookPath,
  webhookRecord,
  webhookRules,
  webhookShape,
  webhookTestShape,
} from '../records/webhook-record.ts'
import { type Answer, listed } from './answer.ts'
import { requireScope } from './caller.ts'
import { endpoint, JSON_BODY, MERGE_PATCH_BODY, nothing, type Route } from './endpoint.ts'

type Rules = ReturnType<typeof webhookRules>

const scope = 'webhooks:admin'
const OF_ONE = { scope, path: webhookPath } as const
const CHANGING = { ...OF_ONE, refusesWriteHeaders: true } as const

/** What 1,000 deliveries take. */
const DELIVERIES_BYTES = 500_000

const list = endpoint({
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'All of them, newest first.',
  answers: documentListed(webhookList),
  scope,
  answer: async (_, { webhooks }) => {
    const found = (await webhooks().list()).map(webhookRecord)
    return listed(JSON.stringify({ webhooks: found, total: found.length }))
  },
})

function create({ creation }: Rules) {
  return endpoint({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'It receives the events from then on, as CloudEvents signed as [Standard Webhooks](https://www.standardwebhooks.com). The key also needs the read scopes of its types. There can be at most 100.',
    answers: {
      201: {
        description: 'The new webhook, with its `secret`, which is shown only once.',
        headers: ['Location'],
        schema: issuedWebhookShape,
      },
    },
    scope,
    body: { schema: creation, computed: computedWebhookFields, mediaTypes: JSON_BODY },
    refusesWriteHeaders: true,
    answer: async ({ body, caller, context }, { webhooks }) => {
      requireTypes(caller, body.types)
      const made = await webhooks().create(body, toCommandContext(context))
      return issued(made, { Location: `/webhooks/${made.webhook.id}` })
    },
  })
}

const get = endpoint({
  operationId: 'getWebhook',
  summary: 'Get one webhook',
  answers: { 200: { description: 'The webhook, without its secret.', schema: webhookShape } },
  ...OF_ONE,
  answer: async ({ path }, { webhooks }) => shown(await webhooks().find(path.id)),
})

function edit({ changes }: Rules) {
  return endpoint({
    operationId: 'editWebhook',
    summary: 'Edit, pause or resume a webhook',
    description:
      'Events that happen while it is paused are sent when it resumes, beginning with the one that it answered 410, if any. The key also needs the read scopes of its types, before and after the edit.',
    answers: { 200: { description: 'The webhook after the edit.', schema: webhookShape } },
    ...CHANGING,
    body: { schema: changes, computed: computedWebhookFields, mediaTypes: MERGE_PATCH_BODY },
    answer: async ({ path, body, caller, context }, { webhooks }) => {
      const check = ({ types }: Webhook) => {
        requireTypes(caller, types)
        if (body.types) requireTypes(caller, body.types)
      }
      return shown(await webhooks().change(path.id, body, toCommandContext(context), check))
    },
  })
}

const remove = endpoint({
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Including everything that waits to be delivered.',
  answers: { 204: { description: 'The webhook is deleted.' } },
  ...CHANGING,
  answer: async ({ path, context }, { webhooks }) => {
    await webhooks().remove(path.id, toCommandContext(context))
    return { status: 204, body: '', headers: {} }
  },
})

const rotate = endpoint({
  operationId: 'rotateWebhook',
  summary: 'Give a webhook a new secret',
  description: 'For `graceSeconds`, the previous secret signs too: deliveries have two signatures.',
  answers: { 201: { description: 'The webhook, with its new `secret`.', schema: issuedWebhookShape } },
  ...CHANGING,
  body: { schema: rotation, computed: computedWebhookFields, mediaTypes: JSON_BODY, optional: true },
  answer: async ({ path, body, context }, { webhooks }) =>
    issued(await webhooks().rotate(path.id, body, toCommandContext(context))),
})

const test = endpoint({
  operationId: 'testWebhook',
  summary: 'Send a test event to a webhook',
  description: 'A `mint.webhook.test.v1`, whatever its types. `…/deliveries` shows the result.',
  answers: { 202: { description: 'The event will be sent.', schema: webhookTestShape } },
  ...CHANGING,
  body: { schema: nothing, computed: [], mediaTypes: JSON_BODY, optional: true },
  answer: async ({ path, context }, { webhooks }) => {
    const eventId = await webhooks().test(path.id, toCommandContext(context))
    return { status: 202, body: JSON.stringify({ eventId }), headers: {} }
  },
})

const replay = endpoint({
  operationId: 'replayWebhook',
  summary: 'Send every event since a time to a webhook again',
  description: 'With the same `webhook-id`, ahead of new events, and including events from before its creation.',
  answers: { 202: { description: 'The events will be sent.' } },
  ...CHANGING,
  body: { schema: replayOfWebhook, computed: [], mediaTypes: JSON_BODY },
  answer: async ({ path, body, context }, { webhooks }) => {
    await webhooks().replay(path.id, body.since, toCommandContext(context))
    return { status: 202, body: '', headers: {} }
  },
})

const deliveries = endpoint({
  operationId: 'listWebhookDeliveries',
  summary: 'List the last 1,000 deliveries of a webhook',
  description: 'Newest first: each attempt, with its result.',
  answers: documentListed(deliveryList),
  ...OF_ONE,
  memory: DELIVERIES_BYTES,
  answer: async ({ path }, { webhooks }) => {
    const found = (await webhooks().deliveries(path.id)).map(deliveryRecord)
    return listed(JSON.stringify({ deliveries: found, total: found.length }))
  },
})

/** Throws insufficient_scope unless the key may read the records of these types; none: of all. */
function requireTypes(caller: Caller, types: readonly string[]): void {
  const requested = types.length === 0 ? Object.keys(EVENT_TYPES) : types
  for (const type of requested) requireScope(caller, EVENT_TYPES[type]?.scope)
}

const shown = (webhook: WebhookDetails): Answer => listed(JSON.stringify(webhookRecord(webhook)))

function issued(
  { webhook, secret }: { readonly webhook: WebhookDetails; readonly secret: string },
  headers: Answer['headers'] = {},
): Answer {
  return { status: 201, body: JSON.stringify({ ...webhookRecord(webhook), secret }), headers }
}

/**
 * Webhooks: list, create, get, edit, delete, rotate, test, replay, deliveries. As for API keys there is no ETag, because
 * much of a record changes without a new version, and no Idempotency-Key, because a secret is never shown twice.
 * `byHttp`: whether their URLs may use http.
 */
export function webhookRoutes(byHttp: boolean): readonly Route[] {
  const rules = webhookRules(byHttp)
  return [
    { path: '/webhooks', methods: { GET: list, POST: create(rules) } },
    { path: '/webhooks/:id', methods: { GET: get, PATCH: edit(rules), DELETE: remove } },
    { path: '/webhooks/:id/rotate', methods: { POST: rotate } },
    { path: '/webhooks/:id/test', methods: { POST: test } },
    { path: '/webhooks/:id/replay', methods: { POST: replay } },
    { path: '/webhooks/:id/deliveries', methods: { GET: deliveries } },
  ]
}
