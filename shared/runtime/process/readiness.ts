import { setTimeout as pause } from 'node:timers/promises'
import { sharingRuns } from '../../async/shared-runs.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import type { Position } from '../../event-sourcing/event.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../log/logger.ts'
import { messagesOf } from '../log/outages.ts'

/** Something that a process needs, under the name that operators know it by. */
export interface ReadinessCheck {
  readonly name: string
  /** Rejects, or does not answer in time, when it can't be used now. */
  check(): Promise<unknown>
}

export interface Readiness {
  readonly ready: boolean
  /** The names of what can't be used now. */
  readonly missing: readonly string[]
}

interface ReadinessOptions {
  /** Timeout of each check, in milliseconds; they run concurrently. */
  readonly timeoutMilliseconds?: number
  /** How long a result is reused, in milliseconds: it limits how often the checks run. */
  readonly freshMilliseconds?: number
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number
  /** Where to say why something can't be used, if nothing else does. */
  readonly logger?: Logger
}

/** Checks whether everything required can be used now; callers that arrive during a run share it. */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  { timeoutMilliseconds = 1_000, freshMilliseconds = 1_000, now, logger }: ReadinessOptions = {},
): () => Promise<Readiness> {
  async function run(): Promise<Readiness> {
    const outcomes = await Promise.allSettled(
      checks.map(async ({ name, check }) => {
        await withTimeout(timeoutMilliseconds, check()).catch((error) => {
          logger?.warn({ outage: `${name} not ready`, err: error }, `${name} can’t be used`)
          throw error
        })
      }),
    )
    const missing = checks.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ name }) => name)
    return { ready: missing.length === 0, missing }
  }

  return sharingRuns(run, freshMilliseconds, now).join
}

/** A single check with a boolean result. */
export function whileReady(check: ReadinessCheck): () => Promise<boolean> {
  const run = createReadiness([check])
  return async () => (await run()).ready
}

/** How often a starting process repeats its checks, in milliseconds. */
const CHECK_INTERVAL = 500

/** Logs what a process is waiting for, whenever that changes, until it is ready or `stopping` is aborted. */
export async function logWhatIsMissing(
  readiness: () => Promise<Readiness>,
  { logger, stopping }: { readonly logger: Logger; readonly stopping: AbortSignal },
): Promise<void> {
  for (let logged = ''; !stopping.aborted; ) {
    const { ready, missing } = await readiness()
    if (ready) return logger.info('ready: everything required is available')
    const names = missing.join(', ')
    if (names !== logged) logger.warn(`waiting for ${names}`)
    logged = names
    await pause(CHECK_INTERVAL, undefined, { signal: stopping }).catch(() => undefined)
  }
}

const RETRY_MILLISECONDS = 500

/** Opens a store as soon as it can be reached, so that either may be started first; logs that it is waiting. */
export async function untilReachable<Opened>(
  open: () => Promise<Opened>,
  { what, logger }: { readonly what: string; readonly logger: Logger },
): Promise<Opened> {
  for (let tries = 0; ; tries++) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (tries % 10 === 0) logger.warn({ reason: messagesOf(error) }, `waiting for ${what}`)
      await pause(RETRY_MILLISECONDS)
    }
  }
}

const PROGRESS_MILLISECONDS = 5_000

/** Returns a function that logs, every few seconds, how far views have been built. */
export function progressLogger(logger: Logger) {
  let next = performance.now() + PROGRESS_MILLISECONDS
  return (position: Position, view?: string): void => {
    if (performance.now() < next) return
    next = performance.now() + PROGRESS_MILLISECONDS
    logger.info({ view, position }, 'building views from the log')
  }
}
