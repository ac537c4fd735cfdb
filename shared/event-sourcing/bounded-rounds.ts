import { channel } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from './ports/event-store.ts'

/** A loop that was ended because its rounds changed nothing: a bug in Mint. */
export interface StalledLoop {
  readonly loop: string
  /** What every one of its last rounds began with. */
  readonly stuckAt: string
}

/** Where stalled loops are published, as StalledLoop. Each process logs and counts them, see process-metrics.ts. */
export const stalledLoops = channel('mint.stalled-loops')

/** How many rounds in a row may begin with the same; the pauses between them add up to a second. */
const MAX_ROUNDS = 10

/** A loop that was ended. What its rounds were about was not written by them. */
export class Stalled extends StoreUnavailable {}

/**
 * Bounds a loop whose rounds lose races: each may run again because somebody else has changed what it began with. Call
 * the returned function before each further round with what that one begins with. While this is the same, it pauses
 * for longer and longer, then throws Stalled.
 */
export function boundedRounds(loop: string): (beginning: string) => Promise<void> {
  let last: string | undefined
  let same = 0
  return async (beginning) => {
    same = beginning === last ? same + 1 : 0
    last = beginning
    if (same === 0) return
    if (same === MAX_ROUNDS) {
      stalledLoops.publish({ loop, stuckAt: beginning } satisfies StalledLoop)
      throw new Stalled(`${loop} made no progress`)
    }
    await pause(2 ** same)
  }
}
