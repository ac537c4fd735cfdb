import { newUuid } from '../calls/ids.ts'
import type { CommandContext } from '../event-sourcing/command-context.ts'
import { createCommandHandler } from '../event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../event-sourcing/outcomes.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { AnyPlainKind } from './concept.ts'
import type { CreationOf, IdOf } from './messages.ts'
import type { KindName } from './registry.ts'

/** An edit of a record. */
export interface Edit<Name extends KindName> {
  readonly id: IdOf<Name>
  readonly changes: Partial<CreationOf<Name>>
  readonly expectedVersions?: readonly number[] | undefined
}

// biome-ignore-start lint/suspicious/noExplicitAny: only the kind's own functions see its records and rejections
type Outcome = Promise<CommandOutcome<any, any>>
type Rejection = any
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** Creates and edits records of one kind. Both commands throw what CommandHandler throws. */
export interface RecordCommands<Name extends KindName> {
  create(fields: CreationOf<Name>, context: CommandContext): Outcome
  edit(edit: Edit<Name>, context: CommandContext): Outcome
  /**
   * Why `create` would reject these fields now; undefined: it would accept them. Writes nothing. Only for kinds whose
   * requests to check new records include fields.
   */
  rejectionOf?(fields: CreationOf<Name>, context: CommandContext): Promise<Rejection | undefined>
  /** Reads again what `rejectionOf` depends on: it has no append to detect that it is out of date. */
  refresh?(): Promise<void>
}

/** The dependencies of a plain kind's commands. */
export interface CommandDependencies {
  readonly database: Database
  readonly clock: () => number
}

/** Creates the commands of a plain kind, whose records have UUIDs. */
export function createRecordCommands<Name extends KindName>(
  kind: AnyPlainKind<Name>,
  { database: { events, view }, clock }: CommandDependencies,
): RecordCommands<Name> {
  const handler = createCommandHandler({ events, view: view(kind.view), decider: kind.decider, clock })
  return {
    create: (fields, context) =>
      handler.create(async () => {
        const id = newUuid()
        const command = kind.create(id, fields)
        return { id, command: async () => () => command }
      }, context),
    edit: ({ id, changes, expectedVersions }, context) =>
      handler.change({ id: String(id), command: () => kind.edit(changes), expectedVersions }, context),
  }
}
