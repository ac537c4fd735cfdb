import { repeat } from '../async/repeat.ts'
import type { Lease, LeasedCheckpoints } from './ports/leased-checkpoints.ts'

/** Which of the processes with one log appends to it, as far as they can choose. */
export type PreferredAppender = ReturnType<typeof preferOneAppender>

export interface PreferredAppenderOptions {
  readonly checkpoints: LeasedCheckpoints
  /** This process, by a name that no other has. */
  readonly holder: string
  /** How long a process that died or is cut off stays preferred; renewed five times as often. */
  readonly leaseMilliseconds?: number
}

/** The name of the lease among those of checkpoints. */
const LEASE = 'appender'

/**
 * Has the processes of one service prefer one of them for appending, by a lease. Nothing relies on it: every process may
 * append at any time, and the log takes each commit once. But processes that append at the same time go for the same
 * positions, so that all but one of them lose and try again, and each has smaller batches.
 */
export function preferOneAppender(options: PreferredAppenderOptions) {
  const { checkpoints, holder, leaseMilliseconds = 1_500 } = options
  let lease: Lease | undefined
  let validUntil = Number.NEGATIVE_INFINITY

  async function renewOrAcquire(): Promise<void> {
    // From before the request: the lease runs from the moment when the engine has it.
    const asked = performance.now()
    if (!(await lease?.renew())) lease = await checkpoints.acquire(LEASE, holder, leaseMilliseconds)
    if (lease) validUntil = asked + leaseMilliseconds
  }

  // While the engine is away nobody is preferred.
  const renewing = repeat(renewOrAcquire, leaseMilliseconds / 5)
  return {
    /** Whether it is this process, as far as it knows. */
    isThisProcess: () => performance.now() < validUntil,
    /** Lets the next one in at once. */
    async stop() {
      await renewing.stop()
      validUntil = Number.NEGATIVE_INFINITY
      await lease?.release().catch(() => undefined)
    },
  }
}
