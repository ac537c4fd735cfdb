/** For `freshMilliseconds`: the first successful run is the only one. */
export const ONCE = Number.POSITIVE_INFINITY

/**
 * Runs some work one run at a time, shared by all callers that join while it is in progress. The answer of a successful
 * run is reused for `freshMilliseconds`. `now`: a monotonic clock in milliseconds.
 */
export function sharingRuns<Args extends unknown[], Answer>(
  work: (...args: Args) => Promise<Answer>,
  freshMilliseconds = 0,
  now = () => performance.now(),
) {
  let latest: Promise<Answer> | undefined
  let isRunning = false
  let freshUntil = 0

  function join(...args: Args): Promise<Answer> {
    if (latest !== undefined && (isRunning || now() < freshUntil)) return latest
    const run = work(...args)
    latest = run
    isRunning = true
    // Registered first, because callers that await the run may join again at once.
    const end = (): void => {
      if (latest !== run) return
      isRunning = false
      freshUntil = now() + freshMilliseconds
    }
    run.then(end, () => latest === run && forget())
    return run
  }

  function forget(): void {
    latest = undefined
    isRunning = false
  }

  return {
    /** The run in progress, or the last one while its answer is fresh; otherwise begins one. */
    join,
    /** The latest run, unless it failed or was forgotten. */
    latest: () => latest,
    /** Makes the next caller begin a new run. */
    forget,
  }
}
