import type { DomainEvent } from '../event-sourcing/event.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../event-sourcing/ports/view.ts'
import { codingStoreErrors } from '../event-sourcing/store-errors.ts'
import type { Logger } from '../runtime/log/logger.ts'
import type { CheckedConcept, Concept, PlainCommands } from './concept.ts'
import type { RecordService } from './messages.ts'
import { createRecordCommands } from './record-commands.ts'
import { createRecordQueries } from './record-queries.ts'
import { createRecordService } from './record-service.ts'
import { KINDS, type One } from './registry.ts'

/** A kind whose commands depend on nothing but the record: this is all that a service has of it. */
export interface PlainKind<
  Name extends One,
  State extends object,
  Command,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
> {
  readonly concept: CheckedConcept<Name, State, Event, Rejection>
  readonly commands: PlainCommands<Name, State, Command, Event, Rejection>
}

/** Each kind has its own types, which only its own functions see. */
interface AnyPlainKind<Name extends One> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly concept: Concept<Name, any, any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly commands: PlainCommands<Name, any, any, any, any>
}

/** Some plain kinds, by their names. */
export type PlainKinds = { readonly [Name in One]?: AnyPlainKind<Name> }

/** The views that they need. */
export const viewsOf = (table: PlainKinds): readonly AnyViewDefinition[] =>
  Object.values(table).map(({ concept }) => concept.view)

interface Dependencies {
  readonly database: Database
  readonly clock: () => number
  readonly newId: () => string
  readonly logger: Logger
}

/** Their services. */
export type ServicesOfPlain<Table extends PlainKinds> = {
  readonly [Name in keyof Table & One as (typeof KINDS)[Name]['many']]: RecordService<Name>
}

/** The services of plain kinds, on one database. */
export function createRecordServices<Table extends PlainKinds>(
  table: Table,
  { logger, ...dependencies }: Dependencies,
): ServicesOfPlain<Table> {
  const services = (Object.keys(table) as One[]).map((one) => {
    const { concept, commands } = table[one] as AnyPlainKind<typeof one>
    const parts = {
      concept,
      commands: createRecordCommands(commands, { ...dependencies, view: concept.view }),
      queries: createRecordQueries(concept, dependencies.database),
    }
    return [KINDS[one].many, codingStoreErrors(createRecordService(one, parts) as object, logger)] as const
  })
  return Object.fromEntries(services) as unknown as ServicesOfPlain<Table>
}
