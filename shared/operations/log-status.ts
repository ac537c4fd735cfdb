import { type Lag, lagAt } from '../event-sourcing/lag.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../event-sourcing/ports/view.ts'

/** The last position of a log, and how far its views have got. */
export interface LogStatus {
  /** The position of the last event. */
  readonly position: number
  readonly views: readonly (Lag & { readonly name: string })[]
}

/** Reads the status of a log and its views. `now`: milliseconds since the epoch. Throws StoreUnavailable. */
export async function logStatus(
  { events, view }: Pick<Database, 'events' | 'view'>,
  views: readonly AnyViewDefinition[],
  now: number,
): Promise<LogStatus> {
  const followers = views.map(async (definition) => {
    const reached = await view(definition).checkpoint()
    return { name: definition.name, ...(await lagAt(events, reached, now)) }
  })
  const [position, ...lags] = await Promise.all([events.head(), ...followers])
  return { position, views: lags }
}
