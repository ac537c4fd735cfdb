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
  const [head, [next]] = await Promise.all([events.head(), events.readAll(position, 1)])
  const lagSeconds = next === undefined ? 0 : Math.max(0, now - next.at) / 1000
  return { position, lagEvents: head - position, lagSeconds }
}

/** The head of a log, and the lags of its views. `now`: milliseconds since the epoch. Throws StoreUnavailable. */
export async function logStatus(
  { events, view }: Pick<Database, 'events' | 'view'>,
  views: readonly AnyViewDefinition[],
  now: number,
) {
  const reached = views.map(async (definition) => {
    return { name: definition.name, position: await view(definition).checkpoint() }
  })
  const followers = await Promise.all(reached)
  // Read once, after the checkpoints, so that no lag is negative.
  const position = await events.head()
  const measured = { readAll: events.readAll, head: async () => position }
  const lags = followers.map(async (one) => ({ ...one, ...(await lagAt(measured, one.position, now)) }))
  return { position, views: await Promise.all(lags) }
}
