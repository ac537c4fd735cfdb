import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import { type HistoryEvent, readHistory } from '../../../shared/event-sourcing/history.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ReportClock } from '../report/report-clock.ts'
import { decide } from './decide.ts'
import type { ClosingEvent, ClosingFields } from './events.ts'
import { type ClosedPeriod, type Closing, evolve } from './evolve.ts'
import { CLOSING, closingView, readClosingEvent } from './view.ts'

/** The closing at one of its versions. */
export interface RecordedClosing extends ClosingFields {
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly by: string
}

export type Closings = ReturnType<typeof createClosings>

/**
 * Closes and reopens the books of one database. With the clock of reports, a closing is later than every write that was
 * acknowledged before, and earlier than every one after: so the changes since its time are those since it. Reading throws
 * StoreUnavailable, `set` what CommandHandler throws.
 */
export function createClosings(
  database: Pick<Database, 'events' | 'view'>,
  clock: Pick<ReportClock, 'now' | 'stamp' | 'markPast'>,
) {
  const { events } = database
  const view = database.view(closingView)
  const handler = createCommandHandler({ events, view, decider: { decide, evolve }, clock: clock.stamp })

  /** Oldest first. */
  async function history(page: { readonly limit: number; readonly offset: number }) {
    const found = await readHistory({ events, view }, readClosingEvent, { id: CLOSING.id, ...page })
    return { closings: found?.events.map(toClosing) ?? [], total: found?.total ?? 0 }
  }

  return {
    set(
      closing: ClosingFields,
      expectedVersions: readonly number[] | undefined,
      context: CommandContext,
    ): Promise<CommandOutcome<Closing, never>> {
      const command = async () => {
        await clock.now()
        return { type: 'set', closing } as const
      }
      return handler.change({ id: CLOSING.id, command, expectedVersions }, context)
    },
    /** The closing at a version; undefined if there is no such version. */
    async at(version: number): Promise<RecordedClosing | undefined> {
      const [event] = await events.readStream(CLOSING, { afterVersion: version - 1, upToVersion: version })
      return event && toClosing({ version, by: event.by, event: readClosingEvent(event) })
    },
    currentVersion: async (): Promise<number> => (await view.get(CLOSING.id))?.version ?? 0,
    history,
    closedPeriods: sharingRuns(async (): Promise<ClosedPeriod> => {
      const row = await view.get(CLOSING.id)
      clock.markPast(row?.at ?? 0)
      return { closedThrough: row?.state.closedThrough ?? null, version: row?.version ?? 0 }
    }, ONCE),
  }
}

const toClosing = ({
  version,
  by,
  event: { data, at },
}: Pick<HistoryEvent<Closing, ClosingEvent>, 'version' | 'by' | 'event'>): RecordedClosing => ({
  ...data,
  version,
  at,
  by,
})
