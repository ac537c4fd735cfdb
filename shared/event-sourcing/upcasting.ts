import type { DomainEvent, LogEvent, Timed } from './event.ts'

/**
 * Converts the data of an old event type to the next newer one, for example `ContractCreated.v1` to
 * `ContractCreated.v2`. Pure: whatever the old type lacks must be derived from what it has.
 */
export type Upcaster = (data: object) => DomainEvent

/** Reads a log event of any age as its current type. */
export interface EventReader<Event extends DomainEvent> extends MadeOf {
  (event: LogEvent): Timed<Event>
}

/** A function that lists the functions and names that its result depends on, which its own source text doesn't show. */
export interface MadeOf {
  readonly madeOf: readonly unknown[]
}

/**
 * A reader for the events of one aggregate: current types pass unchanged, older ones go through their upcasters step by
 * step until they are current. The log is never rewritten. Throws UnknownEventType.
 *
 * `currentTypes` names every type of Event (the compiler checks that none is missing); `upcasters` is keyed by old
 * type.
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
 * A view's fold: reads each event as its current type, then applies it. `parts`: what `evolve` depends on, so that a
 * change to any of it changes the fold's fingerprint.
 */
export function foldWith<State, Event extends DomainEvent>(
  read: EventReader<Event>,
  evolve: (state: State | undefined, event: Timed<Event>) => State,
  parts: readonly unknown[] = [],
): ((state: State | undefined, event: LogEvent) => State) & MadeOf & { readonly read: EventReader<Event> } {
  const fold = (state: State | undefined, event: LogEvent): State => evolve(state, read(event))
  return Object.assign(fold, { read, madeOf: [evolve, ...parts, ...read.madeOf] })
}

/** The log has an event type that this version of Mint doesn't know, most likely written by a newer version. */
export class UnknownEventType extends Error {
  constructor({ stream, version }: LogEvent, type: string) {
    super(
      `Event ${version} of ${stream.category} ${stream.id} has the unknown type ${type}. ` +
        'Run the version of Mint that wrote it, or add an upcaster.',
    )
    this.name = 'UnknownEventType'
  }
}
