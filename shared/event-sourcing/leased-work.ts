import { setTimeout as timer } from 'node:timers/promises'
import { createWaker } from '../async/waker.ts'
import type { Database } from './ports/database.ts'
import type { Lease } from './ports/leased-checkpoints.ts'

export interface LeasedWorkOptions {
  readonly database: Pick<Database, 'events' | 'checkpoints'>
  /** The name of the lease. */
  readonly name: string
  /** Names the lease holder: unique among processes that may run at the same time, and the same after each restart. */
  readonly holder: string
  /** How long the lease outlives a process that died. Renewed three times as often. */
  readonly leaseMilliseconds: number
  /** How long to wait for a wake-up, for a lease that another process holds, and after a failure. */
  readonly pollMilliseconds: number
  /** Whether this process should have the lease; checked repeatedly. */
  readonly isWanted: () => boolean | Promise<boolean>
  /** Does the work until it is stopped, or the lease isn't held any more. If it ends otherwise, it is begun again. */
  readonly work: (holding: Holding) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

export interface Holding {
  readonly lease: Lease
  /** False once another process holds the lease, or might. */
  readonly isHeld: () => boolean
  readonly isStopping: () => boolean
  /** Resolves when an event is appended in this process, when the work is stopped, or after a while. */
  readonly sleep: () => Promise<void>
}

export type LeasedWork = ReturnType<typeof startLeasedWork>

/** Does some work in one process at a time. Whether it fails or its process dies, it is begun again, there or elsewhere. */
export function startLeasedWork(options: LeasedWorkOptions) {
  const { database, name, holder, leaseMilliseconds, pollMilliseconds, isWanted, work, onFailure } = options
  const { events, checkpoints } = database
  const stopping = new AbortController()
  const isStopping = () => stopping.signal.aborted
  const waker = createWaker()
  const unsubscribe = events.onAppended(waker.wake)
  const sleep = () => waker.sleep(pollMilliseconds)
  const pause = () => timer(pollMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)

  async function run(): Promise<void> {
    while (!isStopping()) {
      try {
        if (!(await isWanted())) await sleep()
        else if (!(await workUnderLease())) await pause()
      } catch (error) {
        onFailure(error)
        await pause()
      }
    }
  }

  /** False if another process holds the lease. */
  async function workUnderLease(): Promise<boolean> {
    // It begins before the answer arrives.
    const requestedAt = performance.now()
    const lease = await checkpoints.acquire(name, holder, leaseMilliseconds)
    if (lease === undefined) return false
    const held = renewing(lease, leaseMilliseconds, requestedAt)
    try {
      await work({ lease, isHeld: held.isHeld, isStopping, sleep })
    } finally {
      await held.release()
    }
    return true
  }

  const running = run()
  return {
    /** Lets the work end, and releases the lease. */
    async stop(): Promise<void> {
      stopping.abort()
      waker.wake()
      unsubscribe()
      await running
    },
  }
}

/** Renews a lease until it is released. `requestedAt`: when it was requested, by performance.now(). */
function renewing(lease: Lease, leaseMilliseconds: number, requestedAt: number) {
  let held = true
  let renewedAt = requestedAt
  const timer = setInterval(() => {
    const begun = performance.now()
    // A failed renewal doesn't mean that the lease is lost: the next renewal or advance finds out.
    lease.renew().then(
      (renewed) => {
        held &&= renewed
        renewedAt = begun
      },
      () => {},
    )
  }, leaseMilliseconds / 3)
  return {
    isHeld: () => held && performance.now() - renewedAt < leaseMilliseconds,
    /** Stops renewing and releases the lease, so that the next process can take it at once. */
    async release() {
      clearInterval(timer)
      held = false
      await lease.release()
    },
  }
}
