import type { Lease } from './ports/leased-checkpoints.ts'

/** Renews a lease, every so many milliseconds, until it is let go of. */
export function holdLease(lease: Lease, everyMilliseconds: number) {
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
    /** False once another holder is known to have it. */
    isHeld: () => held,
    /** Ends renewing, and lets the next holder in at once. */
    async letGo() {
      clearInterval(renewing)
      await lease.release()
    },
  }
}
