import type { AnyViewDefinition } from '../event-sourcing/ports/view.ts'
import type { AnyConcept, AnyPlainKind } from './concept.ts'
import type { ServicePart } from './kind.ts'
import type { CommonMethods } from './messages.ts'
import { type CommandDependencies, createRecordCommands } from './record-commands.ts'
import { createRecordService } from './record-service.ts'
import { KINDS, type KindName } from './registry.ts'

/** Plain kinds by name. */
export type PlainKinds = { readonly [Name in KindName]?: AnyPlainKind<Name> }

/** The concepts of all kinds that a service stores: one that is missing doesn't compile. */
export type ConceptsOf<Part extends ServicePart> = {
  readonly [Name in KindName as (typeof KINDS)[Name]['part'] extends Part ? Name : never]: AnyConcept<Name>
}

/** The views of kinds. */
export const viewsOf = (concepts: Readonly<Record<string, { readonly view: AnyViewDefinition }>>) =>
  Object.values(concepts).map(({ view }): AnyViewDefinition => view)

/** The services of plain kinds, by plural. */
export type ServicesOfPlain<Table extends PlainKinds> = {
  readonly [Name in keyof Table & KindName as (typeof KINDS)[Name]['many']]: CommonMethods<Name>
}

/** Creates the services of plain kinds on one database. */
export function createRecordServices<Table extends PlainKinds>(
  table: Table,
  dependencies: CommandDependencies,
): ServicesOfPlain<Table> {
  const services = (Object.keys(table) as KindName[]).map((one) => {
    const concept = table[one] as unknown as AnyPlainKind<typeof one>
    const commands = createRecordCommands(concept, dependencies)
    return [KINDS[one].many, createRecordService(one, concept, commands, dependencies.database)] as const
  })
  return Object.fromEntries(services) as unknown as ServicesOfPlain<Table>
}
