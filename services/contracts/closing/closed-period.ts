import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'
import type { View } from '../../../shared/event-sourcing/ports/view.ts'
import type { Closing } from './evolve.ts'
import { CLOSING } from './view.ts'

/** What decisions on contracts need to know about the closing. */
export interface ClosedPeriod {
  /** `YYYY-MM-DD`, inclusive; null: nothing is closed. */
  readonly closedThrough: string | null
  /** The version of the closing; 0: there is none. */
  readonly version: number
}

export type ClosedPeriods = ReturnType<typeof followClosedPeriod>

const OPEN: ClosedPeriod = { closedThrough: null, version: 0 }

/**
 * The closed period as this process last read it, so that writes need no extra read. It may be out of date: a decision
 * based on it must make the append depend on its version. Throws StoreUnavailable.
 */
export function followClosedPeriod(view: View<Closing>) {
  const reading = sharingRuns(async (): Promise<ClosedPeriod> => {
    const row = await view.get(CLOSING.id)
    return row ? { closedThrough: row.state.closedThrough, version: row.version } : OPEN
  }, ONCE)
  return {
    current: () => reading.join(),
    refresh(): Promise<ClosedPeriod> {
      reading.forget()
      return reading.join()
    },
  }
}
