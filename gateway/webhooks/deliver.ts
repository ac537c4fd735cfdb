import { type LeasedWork, type LeasedWorkOptions, startLeasedWork } from '../../shared/event-sourcing/leased-work.ts'
import { DELIVERIES, progressKey } from '../../shared/webhooks/progress.ts'
import { WEBHOOKS, webhooksView } from '../../shared/webhooks/view.ts'
import type { WorkersOptions } from './workers.ts'

export interface DeliveringOptions extends WorkersOptions, Pick<LeasedWorkOptions, 'holder' | 'leaseMilliseconds'> {}

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
    async work({ isHeld, isStopping, sleep }) {
      // Loaded when the first webhook is created.
      const { createWorkers } = await import('./workers.ts')
      const workers = createWorkers(options, isHeld)
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
