import type { Decider } from '../event-sourcing/decider.ts'
import type { DomainEvent } from '../event-sourcing/event.ts'
import type { ListQuery, RangeValue, ViewDefinition } from '../event-sourcing/ports/view.ts'
import type { RejectionTable } from '../event-sourcing/rejections.ts'
import type { EventReader } from '../event-sourcing/upcasting.ts'
import type { SameNames } from '../fields/field-table.ts'
import type { CreationOf, FiltersOf, MessageOf } from './messages.ts'
import type { KINDS, One } from './registry.ts'

/** A view that can be listed by the time of the last change, as those of all kinds can. */
export type RecordView<State> = ViewDefinition<State> & {
  readonly ranges: { readonly updatedAt: (state: State) => RangeValue }
}

/** What a service knows of a kind of record: how its records are read, listed and shown. */
export interface Concept<
  Name extends One,
  State,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
> {
  readonly view: RecordView<State>
  /** Reads an event in today's shape, whatever its age. */
  readonly read: EventReader<Event>
  /** Which rows a list has. */
  listed(filters: FiltersOf<Name>): Pick<ListQuery, 'where' | 'between' | 'related'>
  /** What callers are told when the domain refuses. */
  readonly rejections: RejectionTable<Rejection>
  /** A record, or some of its fields, as proto has them. */
  toMessage(state: State): MessageOf<Name>
}

/** The same, where the record, its message and its field table have the same fields: the compiler names others. */
export type CheckedConcept<
  Name extends One,
  State,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
> = Concept<Name, State, Event, Rejection> &
  SameNames<State, MessageOf<Name>> &
  SameNames<State, (typeof KINDS)[Name]['fields']>

/** How the commands of a kind are made whose decisions depend on nothing but the record. */
export interface PlainCommands<Name extends One, State, Command, Event extends DomainEvent, Rejection> {
  readonly decider: Decider<State, Command, Event, Rejection>
  create(id: string, fields: CreationOf<Name>, newId: () => string): Command
  edit(changes: Partial<CreationOf<Name>>): Command
}
