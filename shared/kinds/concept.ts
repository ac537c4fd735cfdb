import type { Decider } from '../event-sourcing/decider.ts'
import type { DomainEvent } from '../event-sourcing/event.ts'
import type { RejectionTable } from '../event-sourcing/outcomes.ts'
import type { ListQuery, RangeValue, ViewDefinition } from '../event-sourcing/ports/view.ts'
import type { EventReader } from '../event-sourcing/upcasting.ts'
import type { SameNames } from '../fields/field-table.ts'
import type { CreationOf, FiltersOf, MessageOf } from './messages.ts'
import type { KINDS, KindName } from './registry.ts'

/** A view of records: its rows have a table of fields and a time of the last change, and its events can be read. */
export type RecordView<State> = ViewDefinition<State> & {
  readonly fields: Readonly<Record<keyof State & string, unknown>>
  readonly ranges: { readonly updatedAt: (state: State) => RangeValue }
  readonly fold: { readonly read: EventReader<DomainEvent> }
}

/** How a service reads, lists and shows the records of one kind. */
export interface Concept<Name extends KindName, State, Rejection extends { readonly type: string }> {
  readonly view: RecordView<State>
  /** The query for the rows that match a list's filters. */
  listed(filters: FiltersOf<Name>): Pick<ListQuery, 'where' | 'between' | 'related'>
  /** The errors that callers get for rejections. */
  readonly rejections: RejectionTable<Rejection>
  /** The field at fault in a rejection whose error names none. */
  readonly rejectionField?: keyof State & string
  /** Converts a record, or some of its fields, to a message. */
  toMessage(state: State): MessageOf<Name>
}

/** Doesn't compile, and names the field, if one is missing in the record, its message or its field table. */
type SameFields<Name extends KindName, State> = SameNames<State, MessageOf<Name>> &
  SameNames<State, (typeof KINDS)[Name]['fields']>

/** A concept whose record, message and field table are known to have the same fields. */
export type CheckedConcept<Name extends KindName, State, Rejection extends { readonly type: string }> = Concept<
  Name,
  State,
  Rejection
> &
  SameFields<Name, State>

/** The commands of a kind whose decisions depend on the record alone. */
interface PlainCommands<Name extends KindName, State, Command, Event extends DomainEvent, Rejection> {
  readonly decider: Decider<State, Command, Event, Rejection>
  create(id: string, fields: CreationOf<Name>): Command
  edit(changes: Partial<CreationOf<Name>>): Command
}

/** A kind whose commands depend on the record alone. A service needs nothing else to serve it. */
export type PlainKind<
  Name extends KindName,
  State,
  Command,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
> = CheckedConcept<Name, State, Rejection> & PlainCommands<Name, State, Command, Event, Rejection>

// biome-ignore-start lint/suspicious/noExplicitAny: each kind has its own types, which only its own functions see
/** A concept as code for all kinds sees it. */
export type AnyConcept<Name extends KindName> = Concept<Name, any, any>
export type AnyPlainKind<Name extends KindName> = AnyConcept<Name> & PlainCommands<Name, any, any, any, any>
// biome-ignore-end lint/suspicious/noExplicitAny: as above
