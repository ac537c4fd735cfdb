import type { DomainEvent, LogEvent, Timed } from './event.ts'

/**
 * Turns the data of one old shape into the next newer one, for example `ContractCreated.v1` into
 * `ContractCreated.v2`. Pure: what the old shape doesn't say must follow from what it does.
 */
export type Upcaster = (data: object) => DomainEvent

/** Reads an event of the log in today's shape, whatever its age. */
export interface EventReader<Event extends DomainEvent> extends MadeOf {
  (event: LogEvent): Timed<Event>
}

/** A function that says which functions and names decide upon what it answers: its own text doesn't tell. */
export interface MadeOf {
  readonly madeOf: readonly unknown[]
}

/**
 * A reader for the events of one aggregate: those of a current type pass as they are, older ones go through their
 * upcasters, one step at a time, until they are current. The log is never rewritten. Throws UnknownEventType.
 *
 * `currentTypes` names every type of Event (the compiler checks that none is missing); `upcasters` is by old type.
 */
export function createEventReader<Event extends DomainEvent>(
  currentTypes: Readonly<Record<Event['type'], true>>,
  upcasters: Readonly<Record<string, Upcaster>> = {},
): EventReader<Event> {
  const read = (event: LogEvent): Timed<Event> => {
    let { type, data }: DomainEvent = event
    while (!Object.hasOwn(currentTypes, type)) {
      const upcast = Object.hasOwn(upcasters, type) ? upcasters[type] : undefined
      if (upcast === undefined) throw new UnknownEventType(event, type)
      ;({ type, data } = upcast(data))
    }
    return { type, data, at: event.at } as Timed<Event>
  }
  return Object.assign(read, { madeOf: [Object.keys(currentTypes), ...Object.values(upcasters)] })
}

/**
 * The fold of a view: reads each event in today's shape, then applies it. `parts`: what `evolve` calls and uses, so that a
 * change of it makes another fold of this one.
 */
export function foldWith<State, Event extends DomainEvent>(
  read: EventReader<Event>,
  evolve: (state: State | undefined, event: Timed<Event>) => State,
  parts: readonly unknown[] = [],
): ((state: State | undefined, event: LogEvent) => State) & MadeOf {
  const fold = (state: State | undefined, event: LogEvent): State => evolve(state, read(event))
  return Object.assign(fold, { madeOf: [evolve, ...parts, ...read.madeOf] })
}

/** The log holds an event that this version of Mint has no word for, most likely written by a newer one. */
export class UnknownEventType extends Error {
  constructor({ stream, version }: LogEvent, type: string) {
    super(
      `Event ${version} of ${stream.category} ${stream.id} is of the unknown type ${type}. ` +
        'Run the version of Mint that wrote it, or add an upcaster.',
    )
    this.name = 'UnknownEventType'
  }
}
