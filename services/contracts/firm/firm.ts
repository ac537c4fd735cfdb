import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import { readHistory } from '../../../shared/event-sourcing/history.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import { readAsOf, readPast } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { datesIn } from '../../../shared/fields/local-date.ts'
import { contractsView } from '../contract/view.ts'
import type { ReportClock } from '../report/report-clock.ts'
import { decide, type EditFirm, type FirmRejection, replacesCurrency } from './decide.ts'
import type { FirmFields } from './events.ts'
import { EMPTY_FIRM, evolve, type Firm, type FirmTimeZone } from './evolve.ts'
import { FIRM, firmView, readFirmEvent } from './view.ts'

export type FirmRecord = ReturnType<typeof createFirm>

/** The first contract of nearly every log: number 1 is only unused if that contract was refused. */
const FIRST_CONTRACT = { category: contractsView.category, id: '1' }

/**
 * The firm's record in one database. `clock` is the clock of reports, so an edit is later than every moment that a report
 * was given for. Reading throws StoreUnavailable, `edit` what CommandHandler throws.
 */
export function createFirm(database: Pick<Database, 'events' | 'view'>, clock: Pick<ReportClock, 'begin' | 'stamp'>) {
  const { events } = database
  const [view, contracts] = [database.view(firmView), database.view(contractsView)]
  const past = { events, view }
  const anyContract = { where: {}, search: '', limit: 1, offset: 0, withoutTotal: true } as const
  const hasContracts = async (): Promise<boolean> => (await contracts.list(anyContract)).rows.length > 0
  const handler = createCommandHandler({
    events,
    view,
    decider: { decide, evolve },
    clock: clock.stamp,
    // Contracts may be created while the currency is being replaced. This detects the first one. If that one was refused,
    // or is committed after others, those others may precede the edit and then count in the new currency: no amount
    // changes, only the rounding of their billed amounts.
    dependency: {
      of: ({ contracts }: EditFirm) => (contracts === 'none' ? [{ stream: FIRST_CONTRACT, version: 0 }] : []),
      refresh: async () => [{ stream: FIRST_CONTRACT, version: (await hasContracts()) ? 1 : 0 }],
    },
  })

  async function edit(
    changes: Partial<FirmFields>,
    expectedVersions: readonly number[] | undefined,
    context: CommandContext,
  ): Promise<CommandOutcome<Firm, FirmRejection>> {
    const command = async (firm: Firm = EMPTY_FIRM): Promise<EditFirm> => {
      await clock.begin()
      if (!replacesCurrency(firm, changes)) return { type: 'edit', changes, contracts: 'unchecked' }
      return { type: 'edit', changes, contracts: (await hasContracts()) ? 'some' : 'none' }
    }
    return await handler.change({ id: FIRM.id, command, expectedVersions }, context)
  }

  const stateAsOf = async (moment: number) => (await readAsOf(past, FIRM.id, moment))?.state ?? EMPTY_FIRM
  const unedited = { state: EMPTY_FIRM, version: 0 }

  return {
    edit,
    /** The record at a version (undefined: there is none), as of a moment, or now; empty before the first edit. */
    async read(when: { readonly version: number | undefined; readonly asOf: number | undefined }) {
      const found = await readPast(past, FIRM.id, when)
      return when.version === undefined ? (found ?? unedited) : found
    },
    /** The currency as of a moment that counts as past; `""`: none. The answer never changes. */
    currencyAt: async (moment: number): Promise<string> => (await stateAsOf(moment)).currency,
    /** The same for the time zone. */
    timeZoneAt: async (moment: number): Promise<string> => (await stateAsOf(moment)).timeZone,
    timeZones: sharingRuns(async (): Promise<FirmTimeZone> => {
      const { state, version } = (await view.get(FIRM.id)) ?? unedited
      return { dateAt: datesIn(state.timeZone), version }
    }, ONCE),
    /** Oldest first. */
    async history(page: { readonly limit: number; readonly offset: number }) {
      return (await readHistory(past, readFirmEvent, { id: FIRM.id, ...page })) ?? { events: [], total: 0 }
    },
  }
}
