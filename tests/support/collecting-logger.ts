import { pino } from 'pino'
import type { Logger } from '../../shared/runtime/log/logger.ts'

/** What was logged, each line as it was written. */
export type LogLine = Readonly<Record<string, unknown>>

/** A logger whose lines from `info` on are collected. */
export function collectingLogger(): { readonly logger: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { logger, lines }
}
