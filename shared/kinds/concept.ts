import type { Decider } from '../event-sourcing/decider.ts'
import type { DomainEvent } from '../event-sourcing/event.ts'
import type { RejectionTable } from '../event-sourcing/outcomes.ts'
import type { ListQuery, RangeValue, ViewDefinition } from '../event-sourcing/ports/view.ts'
import type { EventReader } from '../event-sourcing/upcasting.ts'
import type { SameNames } from '../fields/field-table.ts'
import type { CreationOf, FiltersOf, MessageOf } from './messages.ts'
import type { KINDS, KindName } from './registry.ts'

/** A view with what those of all kinds have: it can be listed by the time of the last change, its events can be read. */
export type RecordView<State> = ViewDefinition<State> & {
  readonly fields: Readonly<Record<keyof State & string, unknown>>
  readonly ranges: { readonly updatedAt: (state: State) => RangeValue }
  readonly fold: { readonly read: EventReader<DomainEvent> }
}

/** What a service knows of a kind of record: how its records are read, listed and shown. */
export interface Concept<Name extends KindName, State, Rejection extends { readonly type: string }> {
  readonly view: RecordView<State>
  /** Which rows a list has. */
  listed(filters: FiltersOf<Name>): Pick<ListQuery, 'where' | 'between' | 'related'>
  /** The errors that callers get when the domain refuses. */
  readonly rejections: RejectionTable<Rejection>
  /** The field that a rejection is about which names none. */
  readonly judgedBy?: keyof State & string
  /** A record, or some of its fields, as proto has them. */
  toMessage(state: State): MessageOf<Name>
}

/** The compiler names a field that the record, its message or its field table has alone. */
type SameFields<Name extends KindName, State> = SameNames<State, MessageOf<Name>> &
  SameNames<State, (typeof KINDS)[Name]['fields']>

/** A concept whose record, message and field table have the same fields. */
export type CheckedConcept<Name extends KindName, State, Rejection extends { readonly type: string }> = Concept<
  Name,
  State,
  Rejection
> &
  SameFields<Name, State>

/** How the commands of a kind are made whose decisions depend on nothing but the record. */
interface PlainCommands<Name extends KindName, State, Command, Event extends DomainEvent, Rejection> {
  readonly decider: Decider<State, Command, Event, Rejection>
  create(id: string, fields: CreationOf<Name>, newId: () => string): Command
  edit(changes: Partial<CreationOf<Name>>): Command
}

/** A kind whose commands depend on nothing but the record: this is all that a service has of it. */
export type PlainKind<
  Name extends KindName,
  State,
  Command,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
> = CheckedConcept<Name, State, Rejection> & PlainCommands<Name, State, Command, Event, Rejection>

// biome-ignore-start lint/suspicious/noExplicitAny: each kind has its own types, which only its own functions see
/** What the code for all kinds sees of one. */
export type AnyConcept<Name extends KindName> = Concept<Name, any, any>
export type AnyPlainKind<Name extends KindName> = AnyConcept<Name> & PlainCommands<Name, any, any, any, any>
// biome-ignore-end lint/suspicious/noExplicitAny: as above
