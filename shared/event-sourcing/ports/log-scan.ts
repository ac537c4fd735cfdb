import type { AuthoredEvent, Position } from '../event.ts'

/** Which events to find in a log, from a position on. */
export interface LogScan {
  readonly after: Position
  /** How many to return at most. */
  readonly limit: number
  /** Those of records of these categories, at least one: the first of each, the later ones, or all. */
  readonly of: readonly SoughtCategory[]
  /** Their author. */
  readonly by?: string | undefined
  /** From this moment on, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Up to and including this moment. */
  readonly until?: number | undefined
}

export interface SoughtCategory {
  readonly category: string
  readonly which: 'first' | 'later' | 'all'
}

/** What a scan has found. */
export interface Scanned {
  /** In the order of the log. */
  readonly events: readonly AuthoredEvent[]
  /** The position up to which the log has been read: continue after it. */
  readonly through: Position
  /** Whether the log had no more events then. */
  readonly isLast: boolean
}

/** How many positions one scan passes at most. */
export const MOST_SCANNED = 20_000
