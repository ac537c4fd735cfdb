import type { Command } from 'commander'
import type { z } from 'zod'
import type { deliveryRecord, issuedWebhookShape, webhookTestShape } from '../../gateway/records/webhook-record.ts'
import { type Cli, list } from '../cli.ts'
import { checkedInput } from './checked-input.ts'
import { toSeconds } from './keys.ts'

const URL = 'where events are posted to: https, or http where WEBHOOK_ALLOWED_NETWORKS names the network'
const TYPES = ['--types <list>', 'the types of events that it gets, separated by commas; `all` for every type'] as const
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
    .description('Manages webhooks, to which Mint posts what changes.')
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
  list(cli, show, { operation: 'rest', example: `webhooks show ${EXAMPLE}`, input: calling('getWebhook'), toLines })
  const deliveries = addForOne(
    'deliveries',
    'list the last 1,000 deliveries of a webhook',
    'Lists the last 1,000 deliveries of a webhook, newest first, with what came of each.',
  )
  list(cli, deliveries, {
    operation: 'rest',
    example: `webhooks deliveries ${EXAMPLE}`,
    input: (words) => ({ ...calling('listWebhookDeliveries')(words), many: 'deliveries' }),
    toLines: ({ at, eventId, type, attempt, status, milliseconds, reason, nextAttemptAt }: Delivery) => [
      `${at}  ${eventId}  ${type}  attempt ${attempt}: ${status ?? 'no answer'} after ${milliseconds} ms`,
      ...(reason === null ? [] : [`  ${reason}${nextAttemptAt === null ? '' : ` Next attempt: ${nextAttemptAt}`}`]),
    ],
    none: 'Nothing was delivered yet.',
  })
}

function addChanging(cli: Cli, add: Add, addForOne: Add): void {
  const about = 'Creates a webhook and shows its secret, this once. It gets what happens from then on.'
  const create = add('create', 'create a webhook and show its secret, this once', about).argument('<url>', URL)
  list(cli, create.option(...TYPES).option(...DESCRIPTION), {
    operation: 'rest',
    example: 'webhooks create https://example.com/mint --types mint.contract.created.v1',
    input: async ([url = ''], options: Given) => {
      const rule = (await schemas()).webhookRules(true).creation
      return { operationIds: ['createWebhook'], body: await checkedInput(rule, given({ ...options, url }), WORDS) }
    },
    toLines,
  })
  const edit = addForOne('edit', 'edit a webhook', 'Edits a webhook. What it holds up is tried again at once.')
  edit.option('--url <url>', URL)
  list(cli, edit.option(...TYPES).option(...DESCRIPTION), {
    operation: 'rest',
    example: `webhooks edit ${EXAMPLE} --url https://example.com/other`,
    input: async (words, options: Given) => {
      const rule = (await schemas()).webhookRules(true).changes
      return calling('editWebhook', await checkedInput(rule, given(options), { ...WORDS, url: '--url' }))(words)
    },
    toLines,
  })
  const pausing = [
    [true, addForOne('pause', 'let a webhook wait', 'Lets a webhook wait. What happens meanwhile is sent later.')],
    [false, addForOne('resume', 'let a paused webhook go on', 'Lets a paused webhook go on with what has happened.')],
  ] as const
  for (const [paused, command] of pausing) {
    const input = calling('editWebhook', { paused })
    list(cli, command, { operation: 'rest', example: `webhooks ${command.name()} ${EXAMPLE}`, input, toLines })
  }
  const rotate = addForOne(
    'rotate',
    'give a webhook a new secret and show it, this once',
    'Gives a webhook a new secret and shows it, this once.',
  )
  list(cli, rotate.option('--grace <seconds>', 'how long the secret before signs, too', toSeconds, 0), {
    operation: 'rest',
    example: `webhooks rotate ${EXAMPLE} --grace 3600`,
    input: async (words, { grace }: { grace: number }) => {
      const { rotation } = await import('../../gateway/records/api-key-record.ts')
      return calling('rotateWebhook', await checkedInput(rotation, { graceSeconds: grace }, WORDS))(words)
    },
    toLines,
  })
  const remove = addForOne(
    'delete',
    'delete a webhook',
    'Deletes a webhook, with everything that waits to be delivered.',
  )
  list(cli, remove, {
    operation: 'rest',
    example: `webhooks delete ${EXAMPLE}`,
    input: calling('deleteWebhook'),
    toLines: ({ id }: Named) => [`${id} is deleted`],
  })
}

function addSending(cli: Cli, addForOne: Add): void {
  const about = 'Sends a test event to a webhook. `cli/mint webhooks deliveries` shows what came of it.'
  list(cli, addForOne('test', 'send a test event to a webhook', about), {
    operation: 'rest',
    example: `webhooks test ${EXAMPLE}`,
    input: calling('testWebhook'),
    toLines: ({ eventId }: z.output<typeof webhookTestShape>) => [`${eventId} will be sent`],
  })
  const replay = addForOne(
    'replay',
    'send every event since a time again',
    'Sends every event since a time again, in order, before what is new.',
  )
  list(cli, replay.requiredOption('--since <time>', 'for example 2026-01-31T00:00:00Z'), {
    operation: 'rest',
    example: `webhooks replay ${EXAMPLE} --since 2026-01-31T00:00:00Z`,
    input: async (words, { since }: { since: string }) =>
      calling('replayWebhook', await checkedInput((await schemas()).replayOfWebhook, { since }, WORDS))(words),
    toLines: ({ id }: Named) => [`${id} gets its events again`],
  })
}

const schemas = () => import('../../gateway/records/webhook-record.ts')

/** The input of a command about one webhook. */
const calling =
  (operationId: string, body?: object) =>
  ([id = '']: readonly string[]) => ({ operationIds: [operationId], path: { id: id.toLowerCase() }, body })

interface Named {
  readonly id: string
}

type Delivery = ReturnType<typeof deliveryRecord>

/** A webhook as REST shows it, with its secret only when that was just made. */
type ListedWebhook = Omit<z.output<typeof issuedWebhookShape>, 'secret'> & { readonly secret?: string }

interface Given {
  readonly url?: string
  readonly types?: string
  readonly description?: string
}

/** The fields as REST takes them. */
const given = ({ url, types, description }: Given) => ({
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
