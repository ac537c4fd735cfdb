import type { Lease } from './ports/leased-checkpoints.ts'

/** A lease that is renewed by itself. */
export interface HeldLease {
  /** False once another holder is known to have it. */
  isHeld(): boolean
  /** Ends renewing, and lets the next holder in at once. */
  letGo(): Promise<void>
}

/** Renews a lease, every so many milliseconds, until it is let go of. */
export function holdLease(lease: Lease, everyMilliseconds: number): HeldLease {
  let held = true
  const renewing = setInterval(() => {
    // A renewal that fails is no loss yet: the next one, or advance, finds out.
    lease.renew().then(
      (still) => {
        held &&= still
      },
      () => {},
    )
  }, everyMilliseconds)
  return {
    isHeld: () => held,
    async letGo() {
      clearInterval(renewing)
      await lease.release()
    },
  }
}
