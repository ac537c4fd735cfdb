import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { StreamVersion } from '../../../shared/event-sourcing/ports/event-store.ts'
import type { Edit } from '../../../shared/kinds/record-commands.ts'
import type { FindClientRefusal } from '../client/client-refusal.ts'
import type { Closings } from '../closing/closings.ts'
import { CLOSING } from '../closing/view.ts'
import type { FirmRecord } from '../firm/firm.ts'
import { FIRM } from '../firm/view.ts'
import type { ReportClock } from '../report/report-clock.ts'
import {
  type ClosingContext,
  type ContractCommand,
  type ContractRejection,
  decide,
  type NewContract,
} from './decide.ts'
import { type Contract, evolve } from './evolve.ts'
import { contractsView } from './view.ts'

/** Who writes a contract and, for a proposed change, who proposed it. */
export interface ContractContext extends CommandContext {
  readonly proposedBy?: string
}

export type ContractCommands = ReturnType<typeof createContractCommands>

interface ContractCommandsOptions {
  readonly database: Database
  readonly clock: Pick<ReportClock, 'begin' | 'stamp'>
  /** Read once, so that writes need no extra read. May be out of date: appends depend on their versions. */
  readonly closedPeriods: Closings['closedPeriods']
  readonly timeZones: FirmRecord['timeZones']
  readonly findClientRefusal: FindClientRefusal
}

export type ContractOutcome = CommandOutcome<Contract, ContractRejection>

/** The id of a contract that is only checked, not created. */
const UNASSIGNED = 0

/** Creates and edits the contracts of one database. Both commands throw what CommandHandler throws. */
export function createContractCommands(options: ContractCommandsOptions) {
  const { database, clock, closedPeriods, timeZones, findClientRefusal } = options
  const numbers = database.sequence(contractsView.category)
  const view = database.view(contractsView)
  const dependency = {
    of(command: ContractCommand): readonly StreamVersion[] {
      const closing = { stream: CLOSING, version: command.closed.version }
      const isDated = command.type === 'edit' || command.fields.serviceDate !== undefined
      return isDated ? [closing] : [closing, { stream: FIRM, version: command.firm.version }]
    },
    async refresh() {
      for (const outdated of [closedPeriods, timeZones]) outdated.forget()
      const [closed, firm] = await Promise.all([closedPeriods.join(), timeZones.join()])
      return [
        { stream: CLOSING, version: closed.version },
        { stream: FIRM, version: firm.version },
      ]
    },
  }
  const handler = createCommandHandler({
    events: database.events,
    view,
    decider: { decide, evolve },
    dependency,
    clock: clock.stamp,
  })
  const closingContext = async ({ overrideReason }: CommandContext): Promise<ClosingContext> => {
    return { ...(await closedPeriods.join()), overrideReason }
  }

  async function prepareCreate(fields: NewContract, context: ContractContext) {
    const { proposedBy } = context
    const clientRefusal = await findClientRefusal(fields.clientId, context)
    return async (id: number) => {
      await clock.begin()
      const [closed, firm] = await Promise.all([closingContext(context), timeZones.join()])
      return (at: number) => ({ type: 'create', id, fields, at, firm, clientRefusal, closed, proposedBy }) as const
    }
  }

  function prepareEdit(changes: Partial<NewContract>, context: ContractContext) {
    const { clientId } = changes
    return async (contract: Contract | undefined) => {
      const changesClient = contract !== undefined && clientId !== undefined && clientId !== contract.clientId
      const clientRefusal = changesClient ? await findClientRefusal(clientId, context) : undefined
      await clock.begin()
      const { proposedBy } = context
      return { type: 'edit', changes, clientRefusal, closed: await closingContext(context), proposedBy } as const
    }
  }

  const rejectionIn = (decision: ReturnType<typeof decide>): ContractRejection | undefined =>
    decision.type === 'rejected' ? decision.rejection : undefined

  return {
    create(fields: NewContract, context: ContractContext): Promise<ContractOutcome> {
      return handler.create(async () => {
        const command = await prepareCreate(fields, context)
        const id = await numbers.next()
        return { id: String(id), command: () => command(id) }
      }, context)
    },

    /** Reads closing and firm again for `rejectionOf`, which has no append to detect that they are out of date. */
    refresh: async (): Promise<void> => void (await dependency.refresh()),

    /** Why `create` would reject these fields now; undefined: it would accept them. Writes nothing and uses no number. */
    async rejectionOf(fields: NewContract, context: CommandContext): Promise<ContractRejection | undefined> {
      const command = await prepareCreate(fields, context)
      const commandAt = await command(UNASSIGNED)
      return rejectionIn(decide(undefined, commandAt(clock.stamp())))
    },

    /** The same for `edit` of a contract in its current state, which is undefined if there is none. */
    async rejectionOfEdit(contract: Contract | undefined, changes: Partial<NewContract>, context: CommandContext) {
      return rejectionIn(decide(contract, await prepareEdit(changes, context)(contract)))
    },

    edit({ id, changes, expectedVersions }: Edit<'contract'>, context: ContractContext): Promise<ContractOutcome> {
      return handler.change({ id: String(id), command: prepareEdit(changes, context), expectedVersions }, context)
    },
  }
}
