import { createWaker } from '../../shared/async/waker.ts'
import { holdLease } from '../../shared/event-sourcing/hold-lease.ts'
import type { Lease } from '../../shared/event-sourcing/ports/leased-checkpoints.ts'
import { DELIVERIES, progressKey } from '../../shared/webhooks/progress.ts'
import { WEBHOOKS, webhooksView } from '../../shared/webhooks/view.ts'
import type { WorkersOptions } from './workers.ts'

export interface DeliveringOptions extends WorkersOptions {
  /** Names the lease holder: unique among processes that may run at the same time, and the same after each restart. */
  readonly holder: string
  /** How long the lease outlives a process that died. */
  readonly leaseMilliseconds: number
}

/** The name of the lease. */
const NAME = 'webhooks'

/** How often to poll for changes by other processes, and for a free lease. */
const POLL_MILLISECONDS = 1_000

export type Delivering = ReturnType<typeof startDelivering>

/**
 * Delivers to all webhooks, in the one process that has the lease. However it ends, the next holder resumes: each event
 * is delivered at least once, and each record's events in their order.
 */
export function startDelivering(options: DeliveringOptions) {
  const { database, holder, leaseMilliseconds, logger } = options
  const view = database.view(webhooksView)
  const documents = database.documents(DELIVERIES)
  const waker = createWaker()
  const unsubscribe = database.events.onAppended(waker.wake)
  let isStopping = false

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        const requestedAt = performance.now()
        const lease = (await isNeeded()) && (await database.checkpoints.acquire(NAME, holder, leaseMilliseconds))
        if (lease) await deliverUnder(lease, requestedAt)
      } catch (error) {
        logger.warn({ outage: 'webhooks', err: error }, 'delivering to webhooks failed and will resume')
      }
      if (!isStopping) await waker.sleep(POLL_MILLISECONDS)
    }
  }

  /** Whether there are webhooks, or something is stored for ones that were deleted while nobody delivered. */
  async function isNeeded(): Promise<boolean> {
    const row = await view.get(WEBHOOKS.id)
    // Nothing is asked of the database where there have never been any.
    return row !== undefined && (row.state.length > 0 || (await documents.list(progressKey())).size > 0)
  }

  async function deliverUnder(lease: Lease, requestedAt: number): Promise<void> {
    const held = holdLease(lease, leaseMilliseconds / 3, requestedAt)
    // Loaded when the first webhook is created.
    const { createWorkers } = await import('./workers.ts')
    const workers = createWorkers(options, held.isHeld)
    try {
      while (!isStopping && held.isHeld()) {
        await workers.refresh()
        await waker.sleep(POLL_MILLISECONDS)
      }
    } finally {
      await workers.stop()
      await held.release()
    }
  }

  const running = run()
  return {
    /** Stops delivering, and releases the lease. */
    async stop(): Promise<void> {
      isStopping = true
      waker.wake()
      unsubscribe()
      await running
    },
  }
}
