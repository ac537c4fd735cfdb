import { lagAt } from '../event-sourcing/lag.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../event-sourcing/ports/view.ts'

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
