import type { Command } from 'commander'
import type { ListedWebhook } from '../admin/webhooks.ts'
import { type Cli, list } from '../cli.ts'
import { checkedInput } from './checked-input.ts'
import { toSeconds } from './keys.ts'

/** What names a webhook. */
const ID = ['<id>', 'its id, as in `cli/mint webhooks list`'] as const

const URL = [
  '<url>',
  'where events are posted to: https, or http where WEBHOOK_ALLOWED_NETWORKS names the network',
] as const
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

interface Given {
  readonly url?: string
  readonly types?: string
  readonly description?: string
}

/** `cli/mint webhooks list|create|show|edit|pause|resume|rotate|test|replay|delete|deliveries`. */
export function addWebhooks(mint: Command, cli: Cli): void {
  const webhooks = mint
    .command('webhooks')
    .summary('create, list, pause, test and replay webhooks')
    .description('Manages webhooks, to which Mint posts what changes.')
    .helpCommand(false)
  const listing = webhooks
    .command('list')
    .summary('list every webhook')
    .description('Lists every webhook, newest first.')
  list(cli, listing, { operation: 'listWebhooks', example: 'webhooks list', toLines, none: 'There are no webhooks.' })
  addCreate(webhooks, cli)
  const show = webhooks
    .command('show')
    .summary('show a webhook')
    .description('Shows a webhook.')
    .argument(...ID)
  list(cli, show, { operation: 'showWebhook', example: `webhooks show ${EXAMPLE}`, input: named, toLines })
  addEdit(webhooks, cli)
  addPause(webhooks, cli, 'pause', 'let a webhook wait', true)
  addPause(webhooks, cli, 'resume', 'let a paused webhook go on', false)
  addRotate(webhooks, cli)
  const test = webhooks
    .command('test')
    .summary('send a test event to a webhook')
    .description('Sends a test event to a webhook. `cli/mint webhooks deliveries` shows what came of it.')
    .argument(...ID)
  list(cli, test, {
    operation: 'testWebhook',
    example: `webhooks test ${EXAMPLE}`,
    input: named,
    toLines: ({ eventId }) => [`${eventId} will be sent`],
  })
  addReplay(webhooks, cli)
  const remove = webhooks
    .command('delete')
    .summary('delete a webhook')
    .description('Deletes a webhook, with everything that waits to be delivered.')
    .argument(...ID)
  list(cli, remove, {
    operation: 'deleteWebhook',
    example: `webhooks delete ${EXAMPLE}`,
    input: named,
    toLines: ({ id }) => [`${id} is deleted`],
  })
  addDeliveries(webhooks, cli)
}

const EXAMPLE = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

const named = ([id = '']: readonly string[]) => ({ id: id.toLowerCase() })

function addCreate(webhooks: Command, cli: Cli): void {
  const command = webhooks
    .command('create')
    .summary('create a webhook and show its secret, this once')
    .description('Creates a webhook and shows its secret, this once. It gets what happens from then on.')
    .argument(...URL)
    .option(...TYPES)
    .option(...DESCRIPTION)
  list(cli, command, {
    operation: 'createWebhook',
    example: 'webhooks create https://example.com/mint --types mint.contract.created.v1',
    input: async ([url], options: Given) => {
      const { webhookRules } = await import('../../gateway/records/webhook-record.ts')
      return await checkedInput(webhookRules(true).creation, given({ ...options, url: url ?? '' }), WORDS)
    },
    toLines,
  })
}

function addEdit(webhooks: Command, cli: Cli): void {
  const command = webhooks
    .command('edit')
    .summary('edit a webhook')
    .description('Edits a webhook. What it holds up is tried again at once.')
    .argument(...ID)
    .option('--url <url>', URL[1])
    .option(...TYPES)
    .option(...DESCRIPTION)
  list(cli, command, {
    operation: 'editWebhook',
    example: `webhooks edit ${EXAMPLE} --url https://example.com/other`,
    input: async (words, options: Given) => {
      const { webhookRules } = await import('../../gateway/records/webhook-record.ts')
      const changes = await checkedInput(webhookRules(true).changes, given(options), { ...WORDS, url: '--url' })
      return { ...named(words), changes }
    },
    toLines,
  })
}

/** The fields as REST takes them. */
const given = ({ url, types, description }: Given) => ({
  ...(url !== undefined && { url }),
  ...(types !== undefined && { types: types === 'all' ? [] : types.split(/ *, */) }),
  ...(description !== undefined && { description }),
})

function addPause(webhooks: Command, cli: Cli, name: 'pause' | 'resume', summary: string, paused: boolean): void {
  const description = paused
    ? 'Lets a webhook wait. What happens meanwhile is sent when it goes on.'
    : 'Lets a paused webhook go on, beginning with the event that was answered 410, if any.'
  const command = webhooks
    .command(name)
    .summary(summary)
    .description(description)
    .argument(...ID)
  const input = (words: readonly string[]) => ({ ...named(words), changes: { paused } })
  list(cli, command, { operation: 'editWebhook', example: `webhooks ${name} ${EXAMPLE}`, input, toLines })
}

function addRotate(webhooks: Command, cli: Cli): void {
  const command = webhooks
    .command('rotate')
    .summary('give a webhook a new secret and show it, this once')
    .description('Gives a webhook a new secret and shows it, this once.')
    .argument(...ID)
    .option('--grace <seconds>', 'how long the secret before signs, too', toSeconds, 0)
  list(cli, command, {
    operation: 'rotateWebhook',
    example: `webhooks rotate ${EXAMPLE} --grace 3600`,
    input: async (words, { grace }: { grace: number }) => {
      const { rotation } = await import('../../gateway/records/api-key-record.ts')
      return { ...named(words), ...(await checkedInput(rotation, { graceSeconds: grace }, WORDS)) }
    },
    toLines,
  })
}

function addReplay(webhooks: Command, cli: Cli): void {
  const command = webhooks
    .command('replay')
    .summary('send every event since a time again')
    .description('Sends every event since a time again, in order, before what is new.')
    .argument(...ID)
    .requiredOption('--since <time>', 'for example 2026-01-31T00:00:00Z')
  list(cli, command, {
    operation: 'replayWebhook',
    example: `webhooks replay ${EXAMPLE} --since 2026-01-31T00:00:00Z`,
    input: async (words, { since }: { since: string }) => {
      const { replayOfWebhook } = await import('../../gateway/records/webhook-record.ts')
      return { ...named(words), ...(await checkedInput(replayOfWebhook, { since }, WORDS)) }
    },
    toLines: ({ id }) => [`${id} gets its events again`],
  })
}

function addDeliveries(webhooks: Command, cli: Cli): void {
  const command = webhooks
    .command('deliveries')
    .summary('list the last 1,000 deliveries of a webhook')
    .description('Lists the last 1,000 deliveries of a webhook, newest first, with what came of each.')
    .argument(...ID)
  list(cli, command, {
    operation: 'listDeliveries',
    example: `webhooks deliveries ${EXAMPLE}`,
    input: named,
    toLines: ({ at, eventId, type, attempt, status, milliseconds, reason, nextAttemptAt }) => [
      `${at}  ${eventId}  ${type}  attempt ${attempt}: ${status ?? 'no answer'} after ${milliseconds} ms`,
      ...(reason === null ? [] : [`  ${reason}${nextAttemptAt === null ? '' : ` Next attempt: ${nextAttemptAt}`}`]),
    ],
    none: 'Nothing was delivered yet.',
  })
}

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
