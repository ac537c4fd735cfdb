import { repeat } from '../async/repeat.ts'
import type { Lease, LeasedCheckpoints } from './ports/leased-checkpoints.ts'

/** Which of the processes that share a log should append to it. */
export type PreferredAppender = ReturnType<typeof preferOneAppender>

export interface PreferredAppenderOptions {
  readonly checkpoints: LeasedCheckpoints
  /** The unique name of this process. */
  readonly holder: string
  /** How long a process that died or is cut off stays preferred; renewed five times as often. */
  readonly leaseMilliseconds?: number
}

/** The lease's name among the checkpoints. */
const LEASE = 'appender'

/**
 * Lets the processes of one service prefer one of them for appending, by a lease. Correctness never depends on it:
 * every process may append at any time, and the log accepts each commit once. But processes that append at the same
 * time compete for the same positions, so all but one lose and retry, and each has smaller batches.
 */
export function preferOneAppender(options: PreferredAppenderOptions) {
  const { checkpoints, holder, leaseMilliseconds = 1_500 } = options
  let lease: Lease | undefined
  let validUntil = Number.NEGATIVE_INFINITY

  async function renewOrAcquire(): Promise<void> {
    // Taken before the request: the lease starts when the engine processes it.
    const asked = performance.now()
    if (!(await lease?.renew())) lease = await checkpoints.acquire(LEASE, holder, leaseMilliseconds)
    if (lease) validUntil = asked + leaseMilliseconds
  }

  // While the engine is unavailable, no process is preferred.
  const renewing = repeat(renewOrAcquire, leaseMilliseconds / 5)
  return {
    /** Whether it is this process, as far as it knows. */
    isThisProcess: () => performance.now() < validUntil,
    /** Releases the lease, so that the next process can take it at once. */
    async stop() {
      await renewing.stop()
      validUntil = Number.NEGATIVE_INFINITY
      await lease?.release().catch(() => undefined)
    },
  }
}
