import { channel } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from './ports/event-store.ts'

/** A loop that was stopped because its rounds made no progress, which is a bug in Mint. */
export interface StalledLoop {
  readonly loop: string
  /** The state in which each of its last rounds started. */
  readonly stuckAt: string
}

/** Where stalled loops are published, as StalledLoop. Each process logs and counts them, see process-metrics.ts. */
export const stalledLoops = channel('mint.stalled-loops')

/** How many rounds in a row may start in the same state; the pauses between them add up to a second. */
const MAX_ROUNDS = 10

/** A loop was stopped. None of its rounds has written anything. */
export class Stalled extends StoreUnavailable {}

/**
 * Bounds a loop that retries after losing a race, which should only happen when something else has changed its starting
 * state. Call the returned function before each retry with the state that it starts in. As long as that stays the same,
 * it pauses twice as long each time, then throws Stalled.
 */
export function boundedRounds(loop: string): (start: string) => Promise<void> {
  let last: string | undefined
  let same = 0
  return async (start) => {
    same = start === last ? same + 1 : 0
    last = start
    if (same === 0) return
    if (same === MAX_ROUNDS) {
      // A caller that continues with other work starts counting again.
      last = undefined
      stalledLoops.publish({ loop, stuckAt: start } satisfies StalledLoop)
      throw new Stalled(`${loop} made no progress`)
    }
    await pause(2 ** same)
  }
}
