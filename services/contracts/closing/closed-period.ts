import type { View } from '../../../shared/event-sourcing/ports/view.ts'
import { type Cached, cached } from '../cached.ts'
import type { Closing } from './evolve.ts'
import { CLOSING } from './view.ts'

/** The part of the closing that decisions on contracts depend on. */
export interface ClosedPeriod {
  /** `YYYY-MM-DD`, inclusive; null: nothing is closed. */
  readonly closedThrough: string | null
  /** The version of the closing; 0: there is none. */
  readonly version: number
}

const OPEN: ClosedPeriod = { closedThrough: null, version: 0 }

/** The closed period, cached. Both methods throw StoreUnavailable. */
export function cacheClosedPeriod(view: View<Closing>): Cached<ClosedPeriod> {
  return cached(async () => {
    const row = await view.get(CLOSING.id)
    return row ? { closedThrough: row.state.closedThrough, version: row.version } : OPEN
  })
}
