import type { Lease } from './ports/leased-checkpoints.ts'

/** A lease that renews itself. */
export interface HeldLease {
  /** False once another process is known to hold it. */
  isHeld(): boolean
  /** Stops renewing and releases the lease, so that the next process can take it at once. */
  release(): Promise<void>
}

/** Renews a lease at a fixed interval until it is released. */
export function holdLease(lease: Lease, everyMilliseconds: number): HeldLease {
  let held = true
  const renewing = setInterval(() => {
    // A failed renewal does not mean the lease is lost: the next renewal, or advance, finds out.
    lease.renew().then(
      (renewed) => {
        held &&= renewed
      },
      () => {},
    )
  }, everyMilliseconds)
  return {
    isHeld: () => held,
    async release() {
      clearInterval(renewing)
      await lease.release()
    },
  }
}
