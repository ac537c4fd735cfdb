import type { Lease } from './ports/leased-checkpoints.ts'

/** Renews a lease at a fixed interval until it is released. */
export function holdLease(lease: Lease, everyMilliseconds: number) {
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
    /** False once another process is known to hold it. */
    isHeld: () => held,
    /** Stops renewing and releases the lease, so that the next process can take it at once. */
    async release() {
      clearInterval(renewing)
      await lease.release()
    },
  }
}
