export interface SharedRunsOptions {
  /** How long the answer of a run that ended well counts, in milliseconds; 0 when left out. */
  readonly freshMilliseconds?: number
  /** Milliseconds that only go forward. */
  readonly now?: () => number
}

/** The first run that ends well is the only one. */
export const ONCE: SharedRunsOptions = { freshMilliseconds: Number.POSITIVE_INFINITY }

/** One run of a kind of work at a time, shared by those who ask for it meanwhile. */
export function sharingRuns<Asked extends unknown[], Answer>(
  work: (...asked: Asked) => Promise<Answer>,
  { freshMilliseconds = 0, now = () => performance.now() }: SharedRunsOptions = {},
) {
  let latest: Promise<Answer> | undefined
  let isRunning = false
  let freshUntil = 0

  function join(...asked: Asked): Promise<Answer> {
    if (latest !== undefined && (isRunning || now() < freshUntil)) return latest
    const run = work(...asked)
    latest = run
    isRunning = true
    // The first to hear of its end: whoever waits for it may ask again at once.
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
    /** The run under way, or one whose answer still counts; else begins one. */
    join,
    /** The latest run, unless it failed or was forgotten. */
    latest: () => latest,
    /** Lets the next one who joins begin a run. */
    forget,
  }
}
