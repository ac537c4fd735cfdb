import type { Position } from './event.ts'
import type { EventStore } from './ports/event-store.ts'

/** A log, as far as lags need it. */
export type MeasuredLog = Pick<EventStore, 'head' | 'readAll'>

/** How far a follower of a log is. */
export interface Lag {
  readonly position: Position
  /** How many events of the log it has not handled. */
  readonly lagEvents: number
  /** The age of the first event that it has not handled, in seconds; 0 when there is none. */
  readonly lagSeconds: number
}

/** The lag of a follower that is at `position`. `now`: milliseconds since the epoch. Throws StoreUnavailable. */
export async function lagAt(events: MeasuredLog, position: Position, now: number): Promise<Lag> {
  const [head, lagSeconds] = await Promise.all([events.head(), lagSecondsAt(events, position, now)])
  return { position, lagEvents: head - position, lagSeconds }
}

/** `lagSeconds` alone. */
export async function lagSecondsAt(events: MeasuredLog, position: Position, now: number): Promise<number> {
  const [next] = await events.readAll(position, 1)
  return next === undefined ? 0 : Math.max(0, now - next.at) / 1000
}
