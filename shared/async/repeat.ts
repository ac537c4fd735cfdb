import { setTimeout as delay } from 'node:timers/promises'

/** Repeats the work until it is stopped, with a pause in between. What fails is retried the next time. */
export function repeat(work: () => Promise<unknown>, pauseMilliseconds: number) {
  const stopping = new AbortController()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Engines that are away are the business of those who ask for something.
      await work().catch(() => undefined)
      await delay(pauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    /** Resolves when the work in progress has ended. */
    stop() {
      stopping.abort()
      return running
    },
  }
}
