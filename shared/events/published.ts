import type { AuthoredEvent, DomainEvent } from '../event-sourcing/event.ts'
import type { ViewDefinition } from '../event-sourcing/ports/view.ts'
import type { EventReader } from '../event-sourcing/upcasting.ts'
import { type AnyTable, toRecordBy } from '../fields/field-table.ts'
import type { AnyConcept } from '../kinds/concept.ts'
import type { ServicePart } from '../kinds/kind.ts'
import type { ConceptsOf } from '../kinds/record-services.ts'
import { KINDS, type KindName } from '../kinds/registry.ts'
import { type TypesOfRecord, typesOfKind } from './types.ts'

/** What a service publishes: its part, and the records whose changes it publishes. */
export interface Published {
  readonly part: ServicePart
  readonly records: readonly PublishedRecord[]
}

/** How the changes to one kind of record are published. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has a state of its own, which only its own functions see
export interface PublishedRecord<State = any> {
  readonly view: ViewDefinition<State>
  readonly types: TypesOfRecord
  /** Reads an event in its current shape. */
  readonly read: EventReader<DomainEvent>
  /** The record after an event, as REST shows it. */
  record(state: State, event: AuthoredEvent, byName: string | undefined): object
  /** The names of the fields that an event set, in the record's order; `fields`: their values, as in the state. */
  changed(fields: object): readonly string[]
}

/** How records with a table of fields are published. */
export function publishedRecord<State extends object>({
  fields,
  toMessage = (state) => state,
  ...record
}: Pick<PublishedRecord<State>, 'view' | 'types' | 'read'> & {
  readonly fields: AnyTable
  readonly toMessage?: (state: State) => object
}): PublishedRecord<State> {
  const toRecord = toRecordBy<object>(fields)
  const names = Object.keys(fields)
  return {
    ...record,
    record: (state) => toRecord(toMessage(state)),
    changed(set) {
      const message = toMessage(set as State) as Readonly<Record<string, unknown>>
      return names.filter((name) => message[name] !== undefined)
    },
  }
}

/** How the records of a kind are published. */
function publishedKind<Name extends KindName>(one: Name, { view, toMessage }: AnyConcept<Name>): PublishedRecord {
  const { fields } = KINDS[one]
  return publishedRecord({ view, types: typesOfKind(one), read: view.fold.read, fields, toMessage })
}

/** What a service publishes: all kinds of records that it stores, and its single records. */
export function publishedBy<Part extends ServicePart>(
  part: Part,
  concepts: ConceptsOf<Part>,
  single: readonly PublishedRecord[] = [],
): Published {
  const kinds = Object.entries<AnyConcept<KindName>>(concepts)
  return { part, records: [...kinds.map(([one, concept]) => publishedKind(one as KindName, concept)), ...single] }
}
