import { createWaker } from './waker.ts'

/** Repeats some work until it is stopped, with a pause after each run, whether it succeeds or fails. */
export function repeat(work: () => Promise<unknown>, pauseMilliseconds: number) {
  const { wake, sleep } = createWaker()
  let isStopping = false

  async function run(): Promise<void> {
    while (!isStopping) {
      // Failures are reported where requests need the engine.
      await work().catch(() => undefined)
      await sleep(pauseMilliseconds)
    }
  }

  const running = run()
  return {
    /** Ends the pause, or leaves out the next one. */
    wake,
    /** Resolves when the work in progress has ended. */
    stop() {
      isStopping = true
      wake()
      return running
    },
  }
}
