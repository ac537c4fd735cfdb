import type { Lease } from './ports/leased-checkpoints.ts'

/** Renews a lease at a fixed interval until it is released. It outlives three of these intervals. */
export function holdLease(lease: Lease, everyMilliseconds: number) {
  let held = true
  let renewedAt = performance.now()
  const renewing = setInterval(() => {
    const begun = performance.now()
    // A failed renewal does not mean the lease is lost: the next renewal, or advance, finds out.
    lease.renew().then(
      (renewed) => {
        held &&= renewed
        renewedAt = begun
      },
      () => {},
    )
  }, everyMilliseconds)
  return {
    /** False once another process is known to hold it, or may hold it. */
    isHeld: () => held && performance.now() - renewedAt < 3 * everyMilliseconds,
    /** Stops renewing and releases the lease, so that the next process can take it at once. */
    async release() {
      clearInterval(renewing)
      held = false
      await lease.release()
    },
  }
}
