import type { Position } from './event.ts'
import type { Database } from './ports/database.ts'
import type { EventStore } from './ports/event-store.ts'
import type { AnyViewDefinition } from './ports/view.ts'

/** What lags are computed from. */
export type MeasuredLog = Pick<EventStore, 'head' | 'readAll'>

/**
 * The lag of a follower at `position`: the number of events that it has not handled, and the age in seconds of the oldest
 * of them, 0 if there is none. `now`: milliseconds since the epoch. Throws StoreUnavailable.
 */
export async function lagAt(events: MeasuredLog, position: Position, now: number) {
  const [lagEvents, lagSeconds] = await Promise.all([
    lagEventsAt(events, position),
    lagSecondsAt(events, position, now),
  ])
  return { position, lagEvents, lagSeconds }
}

/** Only `lagEvents`. */
export async function lagEventsAt(events: Pick<MeasuredLog, 'head'>, position: Position): Promise<number> {
  return (await events.head()) - position
}

/** Only `lagSeconds`. */
export async function lagSecondsAt(events: MeasuredLog, position: Position, now: number): Promise<number> {
  const [next] = await events.readAll(position, 1)
  return next === undefined ? 0 : Math.max(0, now - next.at) / 1000
}

/** The head of a log, and the lags of its views. `now`: milliseconds since the epoch. Throws StoreUnavailable. */
export async function logStatus(
  { events, view }: Pick<Database, 'events' | 'view'>,
  views: readonly AnyViewDefinition[],
  now: number,
) {
  const followers = views.map(async (definition) => {
    return { name: definition.name, position: await view(definition).checkpoint() }
  })
  const reached = await Promise.all(followers)
  // Read once, after the checkpoints, so that no lag is negative.
  const head = await events.head()
  const lags = reached.map(async ({ name, position }) => {
    return { name, position, lagEvents: head - position, lagSeconds: await lagSecondsAt(events, position, now) }
  })
  return { position: head, views: await Promise.all(lags) }
}
