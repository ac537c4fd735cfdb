import { setTimeout as delay } from 'node:timers/promises'
import { createWaker } from '../../../event-sourcing/waker.ts'

/** Work that goes on beside the calls, whenever the log has grown. */
export interface Follower {
  wake(): void
  /** Answers when the round under way has ended. */
  stop(): Promise<void>
}

export interface Pace {
  /** Between two rounds at the least, in milliseconds. */
  readonly interval: number
  /** How long to wait for a wake-up before looking anyway, in milliseconds. */
  readonly idle: number
}

/** Goes round for ever; a round that fails is tried again by the next one. */
export function followLog(round: (isStopping: () => boolean) => Promise<unknown>, { interval, idle }: Pace): Follower {
  const waker = createWaker()
  let stopping = false

  async function run(): Promise<void> {
    while (!stopping) {
      // Engines that are away are the business of those who ask for something.
      await round(() => stopping).catch(() => undefined)
      if (!stopping) await waker.sleep(idle)
      if (!stopping) await delay(interval)
    }
  }

  const running = run()
  return {
    wake: () => waker.wake(),
    stop() {
      stopping = true
      waker.wake()
      return running
    },
  }
}
