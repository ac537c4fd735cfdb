import type { Position } from './event.ts'
import type { Database } from './ports/database.ts'
import type { EventStore } from './ports/event-store.ts'
import type { AnyViewDefinition } from './ports/view.ts'

/** A log, as far as lags need it. */
export type MeasuredLog = Pick<EventStore, 'head' | 'readAll'>

/**
 * The lag of a follower that is at `position`: how many events it has not handled, and the age of the first of them in
 * seconds, 0 when there is none. `now`: milliseconds since the epoch. Throws StoreUnavailable.
 */
export async function lagAt(events: MeasuredLog, position: Position, now: number) {
  const [head, lagSeconds] = await Promise.all([events.head(), lagSecondsAt(events, position, now)])
  return { position, lagEvents: head - position, lagSeconds }
}

/** `lagSeconds` alone. */
export async function lagSecondsAt(events: MeasuredLog, position: Position, now: number): Promise<number> {
  const [next] = await events.readAll(position, 1)
  return next === undefined ? 0 : Math.max(0, now - next.at) / 1000
}

/**
 * The position of a log's last event, and how far its views have got. `now`: milliseconds since the epoch. Throws
 * StoreUnavailable.
 */
export async function logStatus(
  { events, view }: Pick<Database, 'events' | 'view'>,
  views: readonly AnyViewDefinition[],
  now: number,
) {
  const followers = views.map(async (definition) => {
    const reached = await view(definition).checkpoint()
    return { name: definition.name, ...(await lagAt(events, reached, now)) }
  })
  const [position, ...lags] = await Promise.all([events.head(), ...followers])
  return { position, views: lags }
}
