import { newRequestId } from '../../shared/calls/ids.ts'
import { type LeasedWork, type LeasedWorkOptions, startLeasedWork } from '../../shared/event-sourcing/leased-work.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import type { Metrics } from '../../shared/runtime/metrics/metrics.ts'
import { createWebhookAdministration, type WebhookAdministration } from '../../shared/webhooks/administration.ts'
import { DELIVERIES, progressKey } from '../../shared/webhooks/progress.ts'
import type { Sealing } from '../../shared/webhooks/secret.ts'
import { WEBHOOKS, webhooksView } from '../../shared/webhooks/view.ts'
import type { Feed } from '../events/feed.ts'
import { deliveryRule, networks } from './addresses.ts'
import type { ReadPage } from './reading.ts'
import type { WorkersOptions } from './workers.ts'

interface WebhooksOptions {
  readonly feed: () => Feed
  readonly sealing: () => Sealing
  /** Addresses and ranges that may be delivered to, besides the Internet. */
  readonly allowedNetworks: readonly string[]
  readonly holder: string
  readonly leaseMilliseconds?: number
  readonly logger: Logger
  readonly metrics: Metrics
}

const PAGE_EVENTS = 100
/** How long to wait for events. */
const WAIT_MILLISECONDS = 5_000

const CALLER = 'mint/webhooks'
const PARTS = [...new Set(Object.values(EVENT_TYPES).map(({ part }) => part))]

/** The webhooks of a gateway: their administration, and their deliveries once its database is open. */
export function openWebhooks(options: WebhooksOptions) {
  const { feed, sealing, allowedNetworks, holder, leaseMilliseconds = 10_000, logger, metrics } = options
  const clock = Date.now
  let administration: WebhookAdministration | undefined
  let delivering: LeasedWork | undefined

  const read: ReadPage = (range) =>
    feed().read({ ...range, limit: PAGE_EVENTS }, PARTS, { actor: CALLER, requestId: newRequestId() })

  function webhooks(): WebhookAdministration {
    if (administration === undefined) throw new StoreUnavailable('the webhooks are not open yet')
    return administration
  }

  return {
    webhooks,
    webhooksByHttp: allowedNetworks.length > 0,
    start(database: Database): void {
      const feedEnd = async (): Promise<string> => (await read({ after: 'now' })).next
      const own = createWebhookAdministration({ database, clock, sealing, feedEnd })
      administration = own
      delivering = startDelivering({
        ...{ database, administration: own, sealing, clock, random: Math.random, holder, leaseMilliseconds, logger },
        readPage: read,
        beyond: (cursor) => feed().beyond(cursor, PARTS, { caller: CALLER, milliseconds: WAIT_MILLISECONDS }),
        isAllowed: deliveryRule(networks(allowedNetworks)),
        onAttempt: measured(metrics, own),
      })
    },
    async stop(): Promise<void> {
      await delivering?.stop()
    },
  }
}

interface DeliveringOptions extends WorkersOptions, Pick<LeasedWorkOptions, 'holder' | 'leaseMilliseconds'> {}

/** How often to poll for changes by other processes, and for a free lease. */
const POLL_MILLISECONDS = 1_000

/**
 * Delivers to all webhooks, in the one process that has the lease. However it ends, the next holder resumes: each event
 * is delivered at least once, and each record's events in their order.
 */
export function startDelivering(options: DeliveringOptions): LeasedWork {
  const { database, holder, leaseMilliseconds, logger } = options
  const view = database.view(webhooksView)
  const documents = database.documents(DELIVERIES)
  return startLeasedWork({
    database,
    name: 'webhooks',
    holder,
    leaseMilliseconds,
    pollMilliseconds: POLL_MILLISECONDS,
    /** Also for what is stored of webhooks that were deleted while nobody delivered. */
    async isWanted() {
      const row = await view.get(WEBHOOKS.id)
      // Where there has never been a webhook, this costs no query.
      return row !== undefined && (row.state.length > 0 || (await documents.list(progressKey())).size > 0)
    },
    async work({ lease, isHeld, isStopping, sleep }) {
      // Loaded when the first webhook is created.
      const { createWorkers } = await import('./workers.ts')
      const workers = createWorkers(options, { documents, lease, mayDeliver: isHeld })
      try {
        while (!isStopping() && isHeld()) {
          await workers.refresh()
          await sleep()
        }
      } finally {
        await workers.stop()
      }
    },
    onFailure: (err) => logger.warn({ outage: 'webhooks', err }, 'delivering to webhooks failed and will resume'),
  })
}

/** Counts the attempts of this process, and reports the state of all webhooks: the same from every gateway. */
function measured(metrics: Metrics, { list }: WebhookAdministration) {
  const name = 'mint_webhook_deliveries_total'
  const help = 'Attempts by this process to deliver an event to a webhook.'
  const attempts = metrics.counter({ name, help, labels: ['outcome'] })
  for (const outcome of ['delivered', 'failed']) attempts.inc({ outcome }, 0)
  const waiting = {
    name: 'mint_webhook_waiting_events',
    help: 'Events that wait to be delivered.',
    labels: {},
  } as const
  metrics.gauge(waiting, async () => (await list()).reduce((sum, webhook) => sum + webhook.waiting, 0))
  for (const reason of ['manual', 'gone', 'failing']) {
    const paused = { name: 'mint_webhooks_paused', help: 'Webhooks that are paused.', labels: { reason } } as const
    metrics.gauge(paused, async () => (await list()).filter(({ pausedReason }) => pausedReason === reason).length)
  }
  return (outcome: 'delivered' | 'failed'): void => attempts.inc({ outcome })
}
