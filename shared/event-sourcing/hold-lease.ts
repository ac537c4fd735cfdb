import type { Lease } from './ports/leased-checkpoints.ts'

/**
 * Renews a lease, which is valid for three of these intervals, until it is released. `requestedAt`: when it was requested,
 * by performance.now(), since it began before the answer arrived.
 */
export function holdLease(lease: Lease, everyMilliseconds: number, requestedAt: number) {
  let held = true
  let renewedAt = requestedAt
  const renewing = setInterval(() => {
    const begun = performance.now()
    // A failed renewal doesn't mean that the lease is lost: the next renewal or advance finds out.
    lease.renew().then(
      (renewed) => {
        held &&= renewed
        renewedAt = begun
      },
      () => {},
    )
  }, everyMilliseconds)
  return {
    /** False once another process holds the lease, or might. */
    isHeld: () => held && performance.now() - renewedAt < 3 * everyMilliseconds,
    /** Stops renewing and releases the lease, so that the next process can take it at once. */
    async release() {
      clearInterval(renewing)
      held = false
      await lease.release()
    },
  }
}
