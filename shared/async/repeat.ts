import { setTimeout as delay } from 'node:timers/promises'

/** Repeats some work until it is stopped, with a pause after each run, whether it succeeds or fails. */
export function repeat(work: () => Promise<unknown>, pauseMilliseconds: number) {
  const stopping = new AbortController()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Failures are reported where requests need the engine.
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
