import type { CommandContext } from '../event-sourcing/command-context.ts'
import { createCommandHandler } from '../event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../event-sourcing/command-outcome.ts'
import { type CreationLookup, findEarlierCreation } from '../event-sourcing/earlier-commit.ts'
import type { DomainEvent } from '../event-sourcing/event.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { ViewDefinition } from '../event-sourcing/ports/view.ts'
import type { PlainCommands } from './concept.ts'
import type { CreationOf, IdOf } from './messages.ts'
import type { One } from './registry.ts'

/** An edit of a record. */
export interface Edit<Name extends One> {
  readonly id: IdOf<Name>
  readonly changes: Partial<CreationOf<Name>>
  readonly expectedVersions?: readonly number[] | undefined
}

/** Creates and edits records of one kind. Both commands throw what CommandHandler throws. */
export interface RecordCommands<Name extends One, State, Rejection> {
  create(fields: CreationOf<Name>, context: CommandContext): Promise<CommandOutcome<State, Rejection>>
  edit(edit: Edit<Name>, context: CommandContext): Promise<CommandOutcome<State, Rejection>>
  /** What an earlier request means for `create`. */
  findEarlier(creation: CreationLookup): ReturnType<typeof findEarlierCreation>
}

interface Dependencies<State> {
  readonly database: Database
  readonly view: ViewDefinition<State>
  readonly clock: () => number
  readonly newId: () => string
}

/** The commands of a kind with UUIDs, in one database. */
export function createRecordCommands<Name extends One, State, Command, Event extends DomainEvent, Rejection>(
  commands: PlainCommands<Name, State, Command, Event, Rejection>,
  { database, view: definition, clock, newId }: Dependencies<State>,
): RecordCommands<Name, State, Rejection> {
  const { events } = database
  const view = database.view(definition)
  const handler = createCommandHandler({ events, view, decider: commands.decider, clock })
  return {
    create: (fields, context) =>
      handler.create(async () => {
        const id = newId()
        const command = commands.create(id, fields, newId)
        return { id, command: async () => () => command }
      }, context),
    findEarlier: (creation) => findEarlierCreation({ events, view }, creation),
    edit: ({ id, changes, expectedVersions }, context) =>
      handler.change({ id: String(id), command: () => commands.edit(changes), expectedVersions }, context),
  }
}
