import { repeat } from '../async/repeat.ts'
import type { Lease, LeasedCheckpoints } from './ports/leased-checkpoints.ts'

export type PreferredAppender = ReturnType<typeof preferOneAppender>

export interface PreferredAppenderOptions {
  readonly checkpoints: LeasedCheckpoints
  /** The unique name of this process. */
  readonly holder: string
  /** How long a process that died or lost its connection stays preferred. Renewed five times as often. */
  readonly leaseMilliseconds?: number
}

/** The lease's name among the checkpoints. */
const LEASE = 'appender'

/**
 * Makes one of the processes that share a log the preferred one to append to it, by a lease. Correctness never depends on
 * this: every process may append at any time, and the log accepts each commit once. But processes that append at the same
 * time compete for the same positions, so that all but one must retry, and their batches are smaller.
 */
export function preferOneAppender(options: PreferredAppenderOptions) {
  const { checkpoints, holder, leaseMilliseconds = 1_500 } = options
  let lease: Lease | undefined
  let validUntil = Number.NEGATIVE_INFINITY

  async function renewOrAcquire(): Promise<void> {
    // Read before the request, since the lease starts when the engine processes it.
    const requestedAt = performance.now()
    if (!(await lease?.renew())) lease = await checkpoints.acquire(LEASE, holder, leaseMilliseconds)
    if (lease) validUntil = requestedAt + leaseMilliseconds
  }

  // While the engine is unavailable, no process is preferred.
  const renewing = repeat(renewOrAcquire, leaseMilliseconds / 5)
  return {
    /** Whether this process is the preferred one, as far as it knows. */
    isThisProcess: () => performance.now() < validUntil,
    /** Releases the lease, so that the next process can take it at once. */
    async stop() {
      await renewing.stop()
      validUntil = Number.NEGATIVE_INFINITY
      await lease?.release().catch(() => undefined)
    },
  }
}
