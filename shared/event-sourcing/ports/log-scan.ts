import type { AuthoredEvent, Position } from '../event.ts'

/** Which events to find in a log after a position. */
export interface LogScan {
  readonly after: Position
  /** How many to return at most. */
  readonly limit: number
  /** At least one. */
  readonly of: readonly ScannedCategory[]
  /** Only events of this author. */
  readonly by?: string | undefined
  /** Only events at or after this moment, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Only events at or before this moment. */
  readonly until?: number | undefined
}

export interface ScannedCategory {
  readonly category: string
  /** Which events of each aggregate. */
  readonly which: 'first' | 'later' | 'all'
}

/** The result of a scan. */
export interface Scanned {
  /** In the order of the log. */
  readonly events: readonly AuthoredEvent[]
  /** The last position read; continue after it. */
  readonly through: Position
  /** Whether that was the head of the log. */
  readonly isLast: boolean
}

/** The most positions that one scan reads. */
export const MAX_SCANNED = 20_000
