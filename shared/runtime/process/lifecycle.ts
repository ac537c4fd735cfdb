import type { Logger } from '../log/logger.ts'

export interface LifecycleOptions {
  /** Finishes what is under way and lets go of everything; called once. */
  readonly stop: () => Promise<void>
  readonly logger: Logger
  /** For how long `stop` goes on serving before it begins to stop. */
  readonly drainMilliseconds?: number | undefined
  /** Told once that it is stopping, in place of the log's line. */
  readonly onStopping?: (() => void) | undefined
}

/** How long a process may take to stop, in milliseconds, before it ends without having done so. */
const STOP_MILLISECONDS = 10_000
/** How long requests under way may take at the end, in milliseconds: what comes after them needs its time too. */
export const REQUEST_GRACE_MILLISECONDS = STOP_MILLISECONDS - 2_000

/**
 * Ends the process in good order: the first SIGTERM or SIGINT stops it (exit 0, or 1 when that takes longer than 10 s
 * after `drainMilliseconds`), later ones change nothing. An error that nobody caught ends it at once (exit 1): what it
 * was doing is unknown, and everything acknowledged is on disk. What Node or a library warns of goes to the log instead of
 * standard error.
 */
export function endOnSignal({ stop, logger, drainMilliseconds = 0, onStopping }: LifecycleOptions): void {
  let ending = false
  const end = (signal: string): void => {
    if (ending) return
    ending = true
    if (onStopping) onStopping()
    else logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error({ milliseconds: STOP_MILLISECONDS }, 'could not stop in time')
      process.exit(1)
    }, drainMilliseconds + STOP_MILLISECONDS).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop in good order')
        process.exit(1)
      },
    )
  }
  // Node's own listener writes lines of plain text between those of the log.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => logger.warn({ err: warning }, 'a warning of the runtime or a library'))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  const die = (error: unknown): void => {
    logger.fatal({ err: error }, 'unexpected error')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
}
