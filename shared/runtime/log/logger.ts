import { createRequire } from 'node:module'
import { type Logger, pino } from 'pino'
import { countingOutages } from './outages.ts'

export type { Logger }

export interface LoggerOptions {
  /** Which part of Mint writes, for example `contracts`. */
  readonly name: string
  /** pino's level, for example `info`. */
  readonly level: string
  /** Human-readable lines instead of JSON; the default on a terminal. */
  readonly readable?: boolean
}

const STDERR = 2
const require = createRequire(import.meta.url)

/**
 * A logger that writes one JSON object per line to standard error, synchronously, so that nothing is lost when the
 * process ends; standard output is reserved for command results. Anything that looks like a secret is hidden, wherever
 * it is. Lines that name an `outage` are written once and then counted (outages.ts).
 */
export function createLogger({ name, level, readable = process.stderr.isTTY === true }: LoggerOptions): Logger {
  const destination = readable ? readableDestination() : pino.destination({ dest: STDERR, sync: true })
  // The log's destination may fill up or disappear; that must not end the service.
  destination.on('error', () => {})
  const hooks = { streamWrite: withoutSecrets, logMethod: countingOutages() }
  return pino({ name, level, timestamp: pino.stdTimeFunctions.isoTime, base: { pid: process.pid }, hooks }, destination)
}

/** Loaded only when used. */
function readableDestination() {
  const { PinoPretty } = require('pino-pretty') as typeof import('pino-pretty')
  return PinoPretty({ destination: STDERR, sync: true, ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l' })
}

/** API keys, also in JSON text, where quotation marks are escaped by a backslash. */
const API_KEY = /\bmint_(?:[^\s"\\]|\\.){16,}/g
/** What is between `://` and `@` in an address. */
const CREDENTIALS = /(:\/\/)[^\s/"@]+@/g

/** The same text with API keys, and user names and passwords in addresses, hidden. */
export function withoutSecrets(text: string): string {
  return text.replace(API_KEY, 'mint_(hidden)').replace(CREDENTIALS, '$1(hidden)@')
}
