import type { Charge } from './charge.ts'
import type { Share } from './pool.ts'

/** How many bytes something takes, learned from how many it took before. */
export type Estimate = ReturnType<typeof createEstimate>

/** With each smaller one, the estimate falls by this part of itself. */
const FORGETTING = 1 / 64
/** While something is made, it is in memory in another form, too: as objects, say, before it is text. */
const FORMS = 2

/** An estimate of at least so many bytes. */
export function createEstimate(least: number) {
  let bytes = least
  return {
    bytes: () => bytes,
    learn(actual: number): void {
      bytes = Math.max(least, actual, bytes * (1 - FORGETTING))
    },
  }
}

/** Something made, with what is charged for it. */
export interface Held<Made> {
  readonly made: Made
  readonly charge: Charge
}

export interface Making<Made> {
  readonly share: Share
  readonly estimate: Estimate
  /** How long to wait for room, in milliseconds. */
  readonly milliseconds: number
  /** See Share.take. */
  readonly revoke?: (() => void) | undefined
  readonly make: () => Promise<Made>
  /** Whether it changes nothing, so that it can be made again if the result is larger than there is room for. */
  readonly isRepeatable: boolean
  readonly bytesOf: (made: Made) => number
}

/**
 * Makes something of unknown size within a share: twice the estimate is charged while it is made, and its actual size
 * from then on. If there is no room for that, it is dropped, and made again once there is. Throws `rate_limited`, and
 * what `make` throws.
 */
export async function makeWithin<Made>(making: Making<Made>): Promise<Held<Made>> {
  const { share, estimate, milliseconds, revoke, make, isRepeatable, bytesOf } = making
  const deadline = Date.now() + milliseconds
  let needed = estimate.bytes()
  for (;;) {
    const charge = await share.wait(FORMS * needed, deadline - Date.now(), { revoke })
    try {
      const made = await make()
      needed = bytesOf(made)
      estimate.learn(needed)
      // What was dropped for others has been given up: nobody waits for it.
      if (charge.resize(needed) || !isRepeatable || !charge.isHeld()) return { made, charge }
    } catch (error) {
      charge.release()
      throw error
    }
    charge.release()
  }
}
