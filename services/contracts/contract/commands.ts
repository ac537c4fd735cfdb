import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/command-outcome.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { type ClientRefusal, type ContractRejection, decide, type NewContract } from './decide.ts'
import type { ContractFields } from './events.ts'
import { type Contract, evolve } from './evolve.ts'
import { contractsView } from './view.ts'

interface ContractCommandsOptions {
  readonly database: Database
  readonly clock: () => number
  /** Why contracts may not be for this client; undefined: they may. */
  readonly findClientRefusal: (clientId: string, context: CommandContext) => Promise<ClientRefusal | undefined>
}

export type ContractOutcome = CommandOutcome<Contract, ContractRejection>

interface Edit {
  readonly id: number
  readonly changes: Partial<ContractFields>
  readonly expectedVersions?: readonly number[] | undefined
}

export type ContractCommands = ReturnType<typeof createContractCommands>

/** Creating and editing the contracts in one database. Both throw as CommandHandler says. */
export function createContractCommands({ database, clock, findClientRefusal }: ContractCommandsOptions) {
  const numbers = database.sequence(contractsView.category)
  const view = database.view(contractsView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })

  return {
    create(fields: NewContract, context: CommandContext): Promise<ContractOutcome> {
      return handler.create(async () => {
        const clientRefusal = await findClientRefusal(fields.clientId, context)
        const id = await numbers.next()
        return { id: String(id), command: (at) => ({ type: 'create', id, fields, at, clientRefusal }) }
      }, context)
    },

    edit({ id, changes, expectedVersions }: Edit, context: CommandContext): Promise<ContractOutcome> {
      const { clientId } = changes
      const command = async (contract: Contract | undefined) => {
        const asksForAnother = contract !== undefined && clientId !== undefined && clientId !== contract.clientId
        const clientRefusal = asksForAnother ? await findClientRefusal(clientId, context) : undefined
        return { type: 'edit', changes, clientRefusal } as const
      }
      return handler.change({ id: String(id), command, expectedVersions }, context)
    },
  }
}
