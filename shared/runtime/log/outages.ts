import type { Logger } from 'pino'

/** Details of a failure's log line; `outage` names what is failing, if there may be many such failures. */
interface FailureDetails {
  readonly outage?: string
  readonly err?: unknown
}

interface Outage {
  readonly startedAt: number
  failed: number
  /** Since they were last counted in the log. */
  uncounted: number
}

/** How often an outage's failures are counted in the log, in milliseconds. With none for this long, it is over. */
const COUNT_INTERVAL = 10_000

/**
 * For pino's `logMethod` hook. Of the lines with the same `outage` and kind of error, writes the first with one stack,
 * then the number of failures every ten seconds, and a last line when there were none. At level debug, writes every
 * line.
 */
export function countingOutages(countInterval = COUNT_INTERVAL) {
  const outages = new Map<string, Outage>()

  function start(logger: Logger, outage: string): Outage {
    const started = { startedAt: Date.now(), failed: 0, uncounted: 0 }
    const counting = setInterval(() => {
      const { failed, uncounted, startedAt } = started
      started.uncounted = 0
      const milliseconds = Date.now() - startedAt
      if (uncounted > 0) return logger.warn({ during: outage, failed: uncounted, milliseconds }, 'still failing')
      clearInterval(counting)
      outages.delete(outage)
      logger.info({ during: outage, failed, milliseconds }, 'no failure since the last count')
    }, countInterval)
    // Failures that aren't counted yet must not keep the process alive.
    counting.unref()
    return started
  }

  /** Counts a failure; returns whether it is the first of its outage. */
  function count(logger: Logger, name: string): boolean {
    const known = outages.get(name)
    const outage = known ?? start(logger, name)
    outage.failed++
    if (known === undefined) outages.set(name, outage)
    else outage.uncounted++
    return known === undefined
  }

  return function logMethod(this: Logger, args: unknown[], write: (...args: unknown[]) => void): void {
    const { outage, err, ...details } = (args[0] ?? {}) as FailureDetails
    if (outage === undefined) {
      write.apply(this, args)
      return
    }
    const name = err instanceof Error ? `${outage}: ${err.name}` : outage
    if (!count(this, name) && !this.isLevelEnabled('debug')) return
    write.apply(this, [{ ...details, outage: name, ...reasonOf(err) }, ...args.slice(1)])
  }
}

/** The innermost error with its stack, and the messages of all errors around it. */
function reasonOf(error: unknown): { readonly err?: unknown; readonly reason?: string } {
  if (!(error instanceof Error)) return error === undefined ? {} : { err: error }
  return { err: chainOf(error).at(-1), reason: messagesOf(error) }
}

/** The messages of an error and of its causes. */
export const messagesOf = (error: Error): string =>
  chainOf(error)
    .map(({ message }) => message)
    .join(': ')

function chainOf(error: Error): readonly Error[] {
  return error.cause instanceof Error ? [error, ...chainOf(error.cause)] : [error]
}
