import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import { spanIds } from '../tracing/tracing.ts'
import { countingOutages } from './outages.ts'
import { createLogOutput } from './output.ts'

export type { Logger }

export interface LoggerOptions {
  /** Which part of Mint writes, for example `contracts`. */
  readonly name: string
  /** pino's level, for example `info`. */
  readonly level: string
  /** Human-readable lines instead of JSON; the default on a terminal. */
  readonly readable?: boolean
}

const require = createRequire(import.meta.url)

/**
 * A logger that writes one JSON object per line to standard error (output.ts); standard output is reserved for command
 * results. Hides anything that looks like a secret. Lines that name an `outage` are written once and then counted
 * (outages.ts).
 */
export function createLogger({ name, level, readable = process.stderr.isTTY === true }: LoggerOptions): Logger {
  const output = createLogOutput((lines) => logger.warn({ lines }, 'log lines were dropped because nobody read them'))
  const hooks = { streamWrite: withoutSecrets, logMethod: countingOutages() }
  const logger = pino(
    {
      name,
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      hooks,
      mixin: () => spanIds(),
    },
    readable ? readableOutput(output) : output,
  )
  return logger
}

/** Loaded only when used. */
function readableOutput(output: DestinationStream): DestinationStream {
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty')
  const toText = prettyFactory({ ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l' })
  return { write: (line) => output.write(toText(line)) }
}

/** API keys, also in JSON text, where quotation marks are escaped by a backslash. */
const API_KEY = /\bmint_(?:[^\s"\\]|\\.){16,}/g
/** What is between `://` and `@` in an address. */
const CREDENTIALS = /(:\/\/)[^\s/"@]+@/g

/** The same text with API keys, and user names and passwords in addresses, hidden. */
export function withoutSecrets(text: string): string {
  return text.replace(API_KEY, 'mint_(hidden)').replace(CREDENTIALS, '$1(hidden)@')
}
