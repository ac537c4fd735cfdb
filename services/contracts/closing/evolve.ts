import type { Timed } from '../../../shared/event-sourcing/event.ts'
import type { ClosingEvent, ClosingFields } from './events.ts'

/** The closing, folded from its events. */
export interface Closing extends ClosingFields {
  /** When it was set for the first time, in milliseconds since the epoch. */
  readonly createdAt: number
}

/** The part of the closing that decisions on contracts depend on. */
export interface ClosedPeriod {
  /** `YYYY-MM-DD`, inclusive; null: nothing is closed. */
  readonly closedThrough: string | null
  /** The version of the closing; 0: there is none. */
  readonly version: number
}

/** Applies one event. */
export function evolve(closing: Closing | undefined, event: Timed<ClosingEvent>): Closing {
  return { createdAt: closing?.createdAt ?? event.at, ...event.data }
}
