import type { Command } from 'commander'
import type { z } from 'zod'
import type { deliveryRecord, issuedWebhookShape, webhookTestShape } from '../../gateway/records/webhook-record.ts'
import { type Cli, list } from '../cli.ts'
import { checkedInput } from './checked-input.ts'
import { toSeconds } from './keys.ts'

const URL = 'where events are posted to: https, or http where WEBHOOK_ALLOWED_NETWORKS names the network'
const TYPES = ['--types <list>', 'the event types that it receives, separated by commas; `all` for every type'] as const
const DESCRIPTION = ['--description <text>', 'what it is for, up to 200 characters'] as const

/** What the schemas' fields are called on the command line. */
const WORDS = {
  url: '<url>',
  types: '--types',
  description: '--description',
  graceSeconds: '--grace',
  since: '--since',
}

const EXAMPLE = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

/** `cli/mint webhooks list|create|show|edit|pause|resume|rotate|test|replay|delete|deliveries`. */
export function addWebhooks(mint: Command, cli: Cli): void {
  const webhooks = mint
    .command('webhooks')
    .summary('create, list, pause, test and replay webhooks')
    .description('Manages webhooks, to which Mint posts events.')
    .helpCommand(false)
  const add = (name: string, summary: string, description: string): Command =>
    webhooks.command(name).summary(summary).description(description)
  const addForOne = (...[name, summary, description]: Parameters<typeof add>): Command =>
    add(name, summary, description).argument('<id>', 'its id, as in `cli/mint webhooks list`')
  addShowing(cli, add, addForOne)
  addChanging(cli, add, addForOne)
  addSending(cli, addForOne)
}

type Add = (name: string, summary: string, description: string) => Command

function addShowing(cli: Cli, add: Add, addForOne: Add): void {
  const all = add('list', 'list every webhook', 'Lists every webhook, newest first.')
  list(cli, all, {
    operation: 'rest',
    example: 'webhooks list',
    input: () => ({ operationIds: ['listWebhooks'], many: 'webhooks' }),
    toLines,
    none: 'There are no webhooks.',
  })
  const show = addForOne('show', 'show a webhook', 'Shows a webhook.')
  list(cli, show, { operation: 'rest', example: `webhooks show ${EXAMPLE}`, input: inputOf('getWebhook'), toLines })
  const deliveries = addForOne(
    'deliveries',
    'list the last 1,000 deliveries of a webhook',
    'Lists the last 1,000 deliveries of a webhook, newest first, with the outcome of each.',
  )
  list(cli, deliveries, {
    operation: 'rest',
    example: `webhooks deliveries ${EXAMPLE}`,
    input: (words) => ({ ...inputOf('listWebhookDeliveries')(words), many: 'deliveries' }),
    toLines: ({ at, eventId, type, attempt, status, milliseconds, reason, nextAttemptAt }: Delivery) => [
      `${at}  ${eventId}  ${type}  attempt ${attempt}: ${status ?? 'no answer'} after ${milliseconds} ms`,
      ...(reason === null ? [] : [`  ${reason}${nextAttemptAt === null ? '' : ` Next attempt: ${nextAttemptAt}`}`]),
    ],
    none: 'Nothing has been delivered yet.',
  })
}

function addChanging(cli: Cli, add: Add, addForOne: Add): void {
  const about = 'Creates a webhook and shows its secret, this once. It receives events from then on.'
  const create = add('create', 'create a webhook and show its secret, this once', about).argument('<url>', URL)
  list(cli, create.option(...TYPES).option(...DESCRIPTION), {
    operation: 'rest',
    example: 'webhooks create https://example.com/mint --types mint.contract.created.v1',
    input: async ([url = ''], options: WebhookOptions) => {
      const rule = (await schemas()).webhookRules(true).creation
      return { operationIds: ['createWebhook'], body: await checkedInput(rule, toFields({ ...options, url }), WORDS) }
    },
    toLines,
  })
  const edit = addForOne('edit', 'edit a webhook', 'Edits a webhook. A delivery that failed is retried at once.')
  edit.option('--url <url>', URL)
  list(cli, edit.option(...TYPES).option(...DESCRIPTION), {
    operation: 'rest',
    example: `webhooks edit ${EXAMPLE} --url https://example.com/other`,
    input: async (words, options: WebhookOptions) => {
      const rule = (await schemas()).webhookRules(true).changes
      return inputOf('editWebhook', await checkedInput(rule, toFields(options), { ...WORDS, url: '--url' }))(words)
    },
    toLines,
  })
  const pausing = [
    [true, addForOne('pause', 'pause a webhook', 'Pauses a webhook. Events are sent later, once it is resumed.')],
    [false, addForOne('resume', 'resume a paused webhook', 'Resumes a paused webhook, with the events since then.')],
  ] as const
  for (const [paused, command] of pausing) {
    const input = inputOf('editWebhook', { paused })
    list(cli, command, { operation: 'rest', example: `webhooks ${command.name()} ${EXAMPLE}`, input, toLines })
  }
  const rotate = addForOne(
    'rotate',
    'give a webhook a new secret and show it, this once',
    'Gives a webhook a new secret and shows it, this once.',
  )
  list(cli, rotate.option('--grace <seconds>', 'how long the previous secret signs, too', toSeconds, 0), {
    operation: 'rest',
    example: `webhooks rotate ${EXAMPLE} --grace 3600`,
    input: async (words, { grace }: { grace: number }) => {
      const { rotation } = await import('../../gateway/records/api-key-record.ts')
      return inputOf('rotateWebhook', await checkedInput(rotation, { graceSeconds: grace }, WORDS))(words)
    },
    toLines,
  })
  const remove = addForOne(
    'delete',
    'delete a webhook',
    'Deletes a webhook, and with it what was still to be delivered.',
  )
  list(cli, remove, {
    operation: 'rest',
    example: `webhooks delete ${EXAMPLE}`,
    input: inputOf('deleteWebhook'),
    toLines: ({ id }: Named) => [`${id} is deleted`],
  })
}

function addSending(cli: Cli, addForOne: Add): void {
  const about = 'Sends a test event to a webhook. `cli/mint webhooks deliveries` shows the outcome.'
  list(cli, addForOne('test', 'send a test event to a webhook', about), {
    operation: 'rest',
    example: `webhooks test ${EXAMPLE}`,
    input: inputOf('testWebhook'),
    toLines: ({ eventId }: z.output<typeof webhookTestShape>) => [`${eventId} will be sent`],
  })
  const replay = addForOne(
    'replay',
    'send every event since a time again',
    'Sends every event since a time again, in order, before new ones.',
  )
  list(cli, replay.requiredOption('--since <time>', 'for example 2026-01-31T00:00:00Z'), {
    operation: 'rest',
    example: `webhooks replay ${EXAMPLE} --since 2026-01-31T00:00:00Z`,
    input: async (words, { since }: { since: string }) =>
      inputOf('replayWebhook', await checkedInput((await schemas()).replayOfWebhook, { since }, WORDS))(words),
    toLines: ({ id }: Named) => [`${id} will get its events again`],
  })
}

const schemas = () => import('../../gateway/records/webhook-record.ts')

/** The input of a command about one webhook. */
const inputOf =
  (operationId: string, body?: object) =>
  ([id = '']: readonly string[]) => ({ operationIds: [operationId], path: { id: id.toLowerCase() }, body })

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
