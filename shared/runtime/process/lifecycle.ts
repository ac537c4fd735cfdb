import { CodedError } from '../../calls/errors.ts'
import type { Logger } from '../log/logger.ts'

export interface LifecycleOptions {
  /** Finishes the work in progress and releases everything; called once. */
  readonly stop: () => Promise<void>
  readonly logger: Logger
  /** How long the process keeps serving after `stop` was called. */
  readonly drainMilliseconds?: number | undefined
  /** Called once when stopping begins, instead of writing the log line. */
  readonly onStopping?: (() => void) | undefined
}

/** How long a process may take to stop, in milliseconds, before it exits anyway. */
const STOP_MILLISECONDS = 10_000
/** How long requests in progress may take when the process stops, in milliseconds: later steps need time, too. */
export const REQUEST_GRACE_MILLISECONDS = STOP_MILLISECONDS - 2_000

/**
 * Ends the process cleanly: the first SIGTERM or SIGINT stops it (exit 0, or 1 when that takes longer than 10 s after
 * `drainMilliseconds`), later ones do nothing. An uncaught error ends it at once (exit 1), since its state is then
 * unknown, and everything acknowledged is on disk; the refusal of a call doesn't. Warnings of Node and libraries go to
 * the log instead of standard error.
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
        logger.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  // Node's own listener would write plain text between the log's JSON lines.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => logger.warn({ err: warning }, 'warning from Node or a library'))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  const die = (error: unknown): void => {
    logger.fatal({ err: error }, 'unexpected error')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', (reason) => {
    // No call may end the process: this one was answered with another error, or its caller has left.
    if (reason instanceof CodedError) logger.error({ err: reason }, 'nobody awaited this error of a call')
    else die(reason)
  })
}

/** SIGUSR2 switches the log level to `debug` (from `debug`: to `info`) and back, and logs the switch. */
export function switchLogLevelOnSignal(logger: Logger): void {
  const configured = logger.level
  const other = configured === 'debug' ? 'info' : 'debug'
  process.on('SIGUSR2', (signal) => {
    const level = logger.level === configured ? other : configured
    // Logged at the more verbose of the two levels; otherwise the line itself might be suppressed.
    if (level === 'debug') logger.level = level
    logger.info({ signal, to: level }, 'the log level was switched')
    logger.level = level
  })
}

/** For a log that was set back to an earlier state: what this process has in memory, such as the log's end, is wrong. */
export const exitWhenSetBack = (logger: Logger, name: string) => (): void => {
  logger.fatal(`the log of ${name} was restored to an earlier state while this process ran: exiting, to read it again`)
  process.exit(1)
}
