import { type Holding, type LeasedWorkOptions, startLeasedWork } from './leased-work.ts'

export type PreferredAppender = ReturnType<typeof preferOneAppender>

export interface PreferredAppenderOptions extends Pick<LeasedWorkOptions, 'database' | 'holder'> {
  /** How long a process that died or lost its connection stays preferred. Renewed three times as often. */
  readonly leaseMilliseconds?: number
}

/**
 * Makes one of the processes that share a log the preferred one to append to it, by a lease. Correctness never depends on
 * this: every process may append at any time, and the log accepts each commit once. But processes that append at the same
 * time compete for the same positions, so that all but one must retry, and their batches are smaller.
 */
export function preferOneAppender({ leaseMilliseconds = 1_500, ...options }: PreferredAppenderOptions) {
  let holding: Holding | undefined
  const { stop } = startLeasedWork({
    ...options,
    name: 'appender',
    leaseMilliseconds,
    pollMilliseconds: leaseMilliseconds / 5,
    isWanted: () => true,
    async work(own) {
      holding = own
      while (own.isHeld() && !own.isStopping()) await own.sleep()
    },
    // While the engine is unavailable, no process is preferred.
    onFailure: () => undefined,
  })
  return {
    /** Whether this process is the preferred one, as far as it knows. */
    isThisProcess: () => holding?.isHeld() ?? false,
    /** Releases the lease, so that the next process can take it at once. */
    stop,
  }
}
