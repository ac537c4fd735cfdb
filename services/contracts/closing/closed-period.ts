import type { View } from '../../../shared/event-sourcing/ports/view.ts'
import { type Followed, following } from '../followed.ts'
import type { Closing } from './evolve.ts'
import { CLOSING } from './view.ts'

/** What decisions on contracts need to know about the closing. */
export interface ClosedPeriod {
  /** `YYYY-MM-DD`, inclusive; null: nothing is closed. */
  readonly closedThrough: string | null
  /** The version of the closing; 0: there is none. */
  readonly version: number
}

const OPEN: ClosedPeriod = { closedThrough: null, version: 0 }

/** The closed period. Throws StoreUnavailable. */
export function followClosedPeriod(view: View<Closing>): Followed<ClosedPeriod> {
  return following(async () => {
    const row = await view.get(CLOSING.id)
    return row ? { closedThrough: row.state.closedThrough, version: row.version } : OPEN
  })
}
