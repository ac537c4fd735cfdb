import type { Logger } from './logger.ts'

export interface LifecycleOptions {
  /** Finishes what is under way and lets go of everything; called once. */
  readonly stop: () => Promise<void>
  readonly logger: Logger
  /** How long `stop` may take, in milliseconds, before the process ends without it. */
  readonly graceMilliseconds: number
}

/**
 * Ends the process in good order: the first SIGTERM or SIGINT stops it (exit 0), later ones change nothing. An error
 * that nobody caught ends it at once (exit 1): what it was doing is unknown, and everything acknowledged is on disk.
 */
export function endOnSignal({ stop, logger, graceMilliseconds }: LifecycleOptions): void {
  let ending = false
  const end = (signal: string): void => {
    if (ending) return
    ending = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error({ graceMilliseconds }, 'could not stop in time')
      process.exit(1)
    }, graceMilliseconds).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop in good order')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  const die = (error: unknown): void => {
    logger.fatal({ err: error }, 'unexpected error')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
}
