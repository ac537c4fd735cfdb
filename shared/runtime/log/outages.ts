import type { Logger } from 'pino'

/** What the line of a failure says besides, where the failure may be one of many: `outage` names what it is a part of. */
interface FailureDetails {
  readonly outage?: string
  readonly err?: unknown
}

interface Outage {
  readonly begunAt: number
  failed: number
  /** Since they were last counted in the log. */
  uncounted: number
}

/** How often the failures of an outage are counted in the log, in milliseconds. An outage without any for so long is over. */
const COUNT_EVERY = 10_000

/**
 * For pino's hook of that name: of lines that name the same `outage` and kind of error, writes the first with one stack,
 * then how many failed every ten seconds, and a last one when none did. At level debug every line is written, too.
 */
export function countingOutages(countEvery = COUNT_EVERY) {
  const outages = new Map<string, Outage>()

  function begin(logger: Logger, outage: string): Outage {
    const begun = { begunAt: Date.now(), failed: 0, uncounted: 0 }
    const counting = setInterval(() => {
      const { failed, uncounted, begunAt } = begun
      begun.uncounted = 0
      const milliseconds = Date.now() - begunAt
      if (uncounted > 0) return logger.warn({ during: outage, failed: uncounted, milliseconds }, 'still failing')
      clearInterval(counting)
      outages.delete(outage)
      logger.info({ during: outage, failed, milliseconds }, 'no failure since the last count')
    }, countEvery)
    // What is left uncounted does not hold up the end of the process.
    counting.unref()
    return begun
  }

  /** Whether it is the first of an outage. */
  function count(logger: Logger, name: string): boolean {
    const known = outages.get(name)
    const outage = known ?? begin(logger, name)
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

/** The innermost error, with its stack, and what those around it say. */
function reasonOf(error: unknown): { readonly err?: unknown; readonly reason?: string } {
  if (!(error instanceof Error)) return error === undefined ? {} : { err: error }
  const messages = [error.message]
  let innermost = error
  while (innermost.cause instanceof Error) {
    innermost = innermost.cause
    messages.push(innermost.message)
  }
  return { err: innermost, reason: messages.join(': ') }
}
