import { CodedError } from '../calls/errors.ts'
import { newUuid } from '../calls/ids.ts'
import type { CommandContext } from '../event-sourcing/command-context.ts'
import { createCommandHandler } from '../event-sourcing/command-handler.ts'
import { doneOrThrow, type RejectionTable } from '../event-sourcing/outcomes.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import { decide, MAX_WEBHOOKS, type WebhookChanges, type WebhookCommand, type WebhookRejection } from './decide.ts'
import type { PausedReason, WebhookEvent, WebhookFields } from './events.ts'
import { evolve, type Webhook, type Webhooks } from './evolve.ts'
import {
  DELIVERIES,
  type Delivery,
  deliveriesIn,
  deliveriesKey,
  MAX_WAITING,
  type Progress,
  progressKey,
} from './progress.ts'
import { generateWebhookSecret, type Sealing } from './secret.ts'
import { WEBHOOKS, webhooksView } from './view.ts'

/** A webhook as administrators see it, without its secrets; times in milliseconds since the epoch. */
export interface WebhookDetails
  extends Omit<Webhook, 'secrets' | 'after'>,
    Pick<Progress, 'lastDeliveredAt' | 'lastFailure' | 'waiting'> {}

interface AdministrationOptions {
  /** Opened with `gatewayViews`. */
  readonly database: Database
  readonly clock: () => number
  /** Throws if no key is configured. */
  readonly sealing: () => Sealing
  /** The cursor after everything in the feed. */
  readonly feedEnd: () => Promise<string>
}

/** A command, or what makes it for the webhooks as they are. */
type Given = WebhookCommand | ((webhooks: Webhooks | undefined) => WebhookCommand)

const TOO_MANY_WAITING = `${MAX_WAITING} events wait for this webhook, and a test would wait behind them: see its deliveries.`
const notFound = (): CodedError => new CodedError('not_found', 'There is no webhook with this id. Check the id.')

const REJECTIONS: RejectionTable<WebhookRejection> = {
  'not-found': notFound,
  'too-many': () =>
    new CodedError('too_many_webhooks', `There are ${MAX_WEBHOOKS} webhooks already: delete one first.`),
}

export type WebhookAdministration = ReturnType<typeof createWebhookAdministration>

/**
 * Manages the webhooks of one database, for REST and the command line. Every method throws StoreUnavailable and, where
 * there is no webhook with this id, CodedError `not_found`; those that write also throw like CommandHandler.
 */
export function createWebhookAdministration(options: AdministrationOptions) {
  const { database, clock, sealing, feedEnd } = options
  const view = database.view(webhooksView)
  const documents = database.documents(DELIVERIES)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })

  async function execute(given: Given, context: CommandContext): Promise<Webhooks> {
    const command = typeof given === 'function' ? given : () => given
    const outcome = await handler.change({ id: WEBHOOKS.id, command }, context)
    return doneOrThrow(outcome, REJECTIONS).state
  }

  /** Executes a command after which the webhook still exists. */
  async function executeOn(id: string, command: Given, context: CommandContext): Promise<WebhookDetails> {
    // Read before writing: nothing may fail between the commit and the only display of a secret.
    const stored = await documents.read(progressKey(id))
    const webhooks = await execute(command, context)
    return toDetails(withId(id, webhooks), stored)
  }

  async function all(): Promise<readonly WebhookDetails[]> {
    const webhooks = (await view.get(WEBHOOKS.id))?.state ?? []
    const stored = await documents.list(progressKey())
    return webhooks.map((webhook) => toDetails(webhook, stored.get(progressKey(webhook.id))))
  }

  /** A new secret, and what is stored of it. */
  function newSecret(owner: string): { readonly secret: string; readonly sealed: string } {
    const secret = generateWebhookSecret()
    return { secret, sealed: sealing().seal(secret, owner) }
  }

  const find = async (id: string): Promise<WebhookDetails> => withId(id, await all())

  return {
    /** Newest first. */
    list: all,
    find,
    async create(fields: WebhookFields, context: CommandContext) {
      const id = newUuid()
      const { secret, sealed } = newSecret(id)
      const data = { id, ...fields, secret: sealed, after: await feedEnd() }
      return { webhook: await executeOn(id, { type: 'create', data }, context), secret }
    },
    /** `check`: gets the webhook as it is before the change, and may throw. */
    change(id: string, changes: WebhookChanges, context: CommandContext, check = (_: Webhook): void => undefined) {
      const command = (webhooks: Webhooks = []) => {
        check(withId(id, webhooks))
        return { type: 'edit', id, changes } as const
      }
      return executeOn(id, command, context)
    },
    /** For `graceSeconds`, the previous secret also signs. */
    async rotate(id: string, { graceSeconds }: { readonly graceSeconds: number }, context: CommandContext) {
      const { secret, sealed } = newSecret(id)
      const previousUntil = clock() + graceSeconds * 1_000
      const rotated = record({ type: 'WebhookRotated.v1', data: { id, secret: sealed, previousUntil } })
      return { webhook: await executeOn(id, rotated, context), secret }
    },
    /** Sends a test event; returns its id. Throws `rate_limited` if as many events wait as may. */
    async test(id: string, context: CommandContext): Promise<string> {
      if ((await find(id)).waiting >= MAX_WAITING) throw new CodedError('rate_limited', TOO_MANY_WAITING)
      const eventId = `mint/webhooks/${newUuid()}`
      await execute(record({ type: 'WebhookTested.v1', data: { id, eventId } }), context)
      return eventId
    },
    /** Sends every event since a time again. */
    replay: (id: string, since: number, context: CommandContext) =>
      execute(record({ type: 'WebhookReplayed.v1', data: { id, since } }), context),
    pause: (id: string, reason: PausedReason, context: CommandContext) =>
      execute({ type: 'edit', id, changes: { paused: reason } }, context),
    remove: (id: string, context: CommandContext) =>
      execute(record({ type: 'WebhookDeleted.v1', data: { id } }), context),
    /** The latest deliveries, newest first. */
    async deliveries(id: string): Promise<readonly Delivery[]> {
      withId(id, await all())
      return deliveriesIn(await documents.list(deliveriesKey(id)))
    },
  }
}

const record = (event: WebhookEvent): WebhookCommand => ({ type: 'record', id: event.data.id, event })

/** The webhook with this id. Throws `not_found`. */
function withId<Any extends { readonly id: string }>(id: string, webhooks: readonly Any[]): Any {
  const found = webhooks.find((webhook) => webhook.id === id)
  if (found === undefined) throw notFound()
  return found
}

function toDetails({ secrets: _, after: __, ...webhook }: Webhook, stored: string | undefined): WebhookDetails {
  const progress: Partial<Progress> = stored === undefined ? {} : JSON.parse(stored)
  const { lastDeliveredAt = null, lastFailure = null, waiting = 0 } = progress
  return { ...webhook, lastDeliveredAt, lastFailure, waiting }
}
