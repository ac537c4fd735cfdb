import type { Timed } from '../../../shared/event-sourcing/event.ts'
import type { ClosingEvent, ClosingFields } from './events.ts'

/** The closing as its events tell it. */
export interface Closing extends ClosingFields {
  /** When it was set for the first time, in milliseconds since the epoch. */
  readonly createdAt: number
}

/** Applies one event. */
export function evolve(closing: Closing | undefined, event: Timed<ClosingEvent>): Closing {
  return { createdAt: closing?.createdAt ?? event.at, ...event.data }
}
