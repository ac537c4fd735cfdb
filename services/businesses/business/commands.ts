import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/command-outcome.ts'
import { type CreationLookup, findEarlierCreation } from '../../../shared/event-sourcing/earlier-commit.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { type BusinessRejection, decide, type NewBusiness } from './decide.ts'
import type { BusinessFields } from './events.ts'
import { type Business, evolve } from './evolve.ts'
import { businessesView } from './view.ts'

export interface BusinessCommandsOptions {
  readonly database: Database
  readonly clock: () => number
  readonly newId: () => string
}

export type BusinessOutcome = CommandOutcome<Business, BusinessRejection>

interface Edit {
  readonly id: string
  readonly changes: Partial<BusinessFields>
  readonly expectedVersions?: readonly number[] | undefined
}

export type BusinessCommands = ReturnType<typeof createBusinessCommands>

/** Creates and edits the businesses of one database. Both commands throw what CommandHandler throws. */
export function createBusinessCommands({ database, clock, newId }: BusinessCommandsOptions) {
  const view = database.view(businessesView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })

  return {
    create(fields: NewBusiness, context: CommandContext): Promise<BusinessOutcome> {
      return handler.create(async () => {
        const [id, clientId] = [newId(), newId()]
        return { id, command: async () => () => ({ type: 'create', id, clientId, fields }) }
      }, context)
    },

    /** What an earlier request means for `create`. */
    findEarlier: (creation: CreationLookup) => findEarlierCreation({ events: database.events, view }, creation),

    edit({ id, changes, expectedVersions }: Edit, context: CommandContext): Promise<BusinessOutcome> {
      return handler.change({ id, command: () => ({ type: 'edit', changes }), expectedVersions }, context)
    },
  }
}
