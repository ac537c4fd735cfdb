import { type Logger, pino } from 'pino'

export type { Logger }

export interface LoggerOptions {
  /** Which part of Mint writes, for example `contracts`. */
  readonly name: string
  /** pino's level, for example `info`. */
  readonly level: string
}

/**
 * A logger that writes one JSON object a line to standard error, at once, so that nothing is lost when the process
 * ends; standard output belongs to what a person asked for.
 */
export function createLogger({ name, level }: LoggerOptions): Logger {
  const destination = pino.destination({ dest: 2, sync: true })
  // Where the log goes may fill up or go away; that must not end the service.
  destination.on('error', () => {})
  return pino({ name, level, timestamp: pino.stdTimeFunctions.isoTime, base: { pid: process.pid } }, destination)
}
