import { Argument, type Command, Option } from 'commander'
import type { z } from 'zod'
import type { deliveryRecord, issuedWebhookShape, webhookTestShape } from '../../gateway/records/webhook-record.ts'
import type { Cli } from '../cli.ts'
import { addGroup } from './add-command.ts'
import { checkedInput } from './checked-input.ts'
import { addRestCommands, graceOption, type RestCommands, toRotation } from './rest-commands.ts'

const URL = 'where events are posted to: https, or http where WEBHOOK_ALLOWED_NETWORKS names the network'
const TYPES = new Option(
  '--types <list>',
  'the event types that it receives, separated by commas; `all` for every type',
)
const DESCRIPTION = new Option('--description <text>', 'what it is for, up to 200 characters')

/** What the schemas' fields are called on the command line. */
const WORDS = {
  url: '<url>',
  types: '--types',
  description: '--description',
  since: '--since',
}

const EXAMPLE = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
/** A command about one webhook. */
const ofOne = {
  takes: [new Argument('<id>', 'its id, as in `cli/mint webhooks list`')],
  ofOne: true,
  example: EXAMPLE,
  toLines,
} as const

/** `cli/mint webhooks list|show|deliveries|create|edit|pause|resume|rotate|delete|test|replay`. */
export function addWebhooks(mint: Command, cli: Cli): void {
  const webhooks = addGroup(mint, 'webhooks', 'create, list, pause, test and replay webhooks')
  addRestCommands(cli, webhooks, COMMANDS)
}

const COMMANDS: RestCommands = {
  list: {
    summary: 'list every webhook, newest first',
    operationIds: ['listWebhooks'],
    many: 'webhooks',
    toLines,
    none: 'There are no webhooks.',
  },
  show: { ...ofOne, summary: 'show a webhook', operationIds: ['getWebhook'] },
  deliveries: {
    ...ofOne,
    summary: 'list the last 1,000 deliveries of a webhook, newest first',
    operationIds: ['listWebhookDeliveries'],
    many: 'deliveries',
    toLines: ({ at, eventId, type, attempt, status, milliseconds, reason, nextAttemptAt }: Delivery) => [
      `${at}  ${eventId}  ${type}  attempt ${attempt}: ${status ?? 'no answer'} after ${milliseconds} ms`,
      ...(reason === null ? [] : [`  ${reason}${nextAttemptAt === null ? '' : ` Next attempt: ${nextAttemptAt}`}`]),
    ],
    none: 'Nothing has been delivered yet.',
  },
  create: {
    summary: 'create a webhook and show its secret, this once',
    more: 'It receives events from then on.',
    takes: [new Argument('<url>', URL)],
    options: [TYPES, DESCRIPTION],
    example: 'https://example.com/mint --types mint.contract.created.v1',
    operationIds: ['createWebhook'],
    body: async ([url], options: WebhookOptions) =>
      checkedInput((await schemas()).webhookRules(true).creation, toFields({ ...options, url }), WORDS),
    toLines,
  },
  edit: {
    ...ofOne,
    summary: 'edit a webhook',
    more: 'A delivery that failed is retried at once.',
    options: [new Option('--url <url>', URL), TYPES, DESCRIPTION],
    example: `${EXAMPLE} --url https://example.com/other`,
    operationIds: ['editWebhook'],
    body: async (_words, options: WebhookOptions) =>
      checkedInput((await schemas()).webhookRules(true).changes, toFields(options), { ...WORDS, url: '--url' }),
  },
  pause: {
    ...ofOne,
    summary: 'pause a webhook',
    more: 'Events are sent later, once it is resumed.',
    operationIds: ['editWebhook'],
    body: () => ({ paused: true }),
  },
  resume: {
    ...ofOne,
    summary: 'resume a paused webhook, with the events since then',
    operationIds: ['editWebhook'],
    body: () => ({ paused: false }),
  },
  rotate: {
    ...ofOne,
    summary: 'give a webhook a new secret and show it, this once',
    options: [graceOption('how long the previous secret signs, too')],
    example: `${EXAMPLE} --grace 3600`,
    operationIds: ['rotateWebhook'],
    body: toRotation,
  },
  delete: {
    ...ofOne,
    summary: 'delete a webhook, and with it what was still to be delivered',
    operationIds: ['deleteWebhook'],
    toLines: ({ id }: Named) => [`${id} is deleted`],
  },
  test: {
    ...ofOne,
    summary: 'send a test event to a webhook',
    more: '`cli/mint webhooks deliveries` shows the outcome.',
    operationIds: ['testWebhook'],
    toLines: ({ eventId }: z.output<typeof webhookTestShape>) => [`${eventId} will be sent`],
  },
  replay: {
    ...ofOne,
    summary: 'send every event since a time again, in order, before new ones',
    options: [new Option('--since <time>', 'for example 2026-01-31T00:00:00Z').makeOptionMandatory()],
    example: `${EXAMPLE} --since 2026-01-31T00:00:00Z`,
    operationIds: ['replayWebhook'],
    body: async (_words, { since }: { since: string }) =>
      checkedInput((await schemas()).replayOfWebhook, { since }, WORDS),
    toLines: ({ id }: Named) => [`${id} will get its events again`],
  },
}

const schemas = () => import('../../gateway/records/webhook-record.ts')

interface Named {
  readonly id: string
}

type Delivery = ReturnType<typeof deliveryRecord>

/** A webhook as REST returns it; with its secret only if that was just created. */
type ListedWebhook = Omit<z.output<typeof issuedWebhookShape>, 'secret'> & { readonly secret?: string }

interface WebhookOptions {
  readonly url?: string
  readonly types?: string
  readonly description?: string
}

/** The fields of a REST request. */
const toFields = ({ url, types, description }: WebhookOptions) => ({
  ...(url !== undefined && { url }),
  ...(types !== undefined && { types: types === 'all' ? [] : types.split(/ *, */) }),
  ...(description !== undefined && { description }),
})

function toLines(webhook: ListedWebhook): readonly string[] {
  const { id, url, types, description, pausedReason, createdAt, lastDeliveredAt, lastFailure, waiting, secret } =
    webhook
  return [
    `${id}  ${url}`,
    ...(description === '' ? [] : [`  for        ${description}`]),
    `  types      ${types.length === 0 ? 'all' : types.join(', ')}`,
    `  created    ${createdAt}`,
    ...(pausedReason === null ? [] : [`  paused     ${pausedReason}`]),
    `  delivered  ${lastDeliveredAt ?? 'never'}`,
    `  waiting    ${waiting}`,
    ...(lastFailure === null ? [] : [`  failed     ${lastFailure.at}  ${lastFailure.reason}`]),
    ...(secret === undefined ? [] : [`  secret     ${secret}  (shown this once: keep it)`]),
  ]
}
