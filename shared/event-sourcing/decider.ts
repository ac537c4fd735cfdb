import type { DomainEvent, Timed } from './event.ts'

interface Accepted<Event extends DomainEvent> {
  readonly type: 'accepted'
  readonly events: readonly Event[]
}

interface Rejected<Rejection> {
  readonly type: 'rejected'
  readonly rejection: Rejection
}

/** The result of deciding a command: the events that record it (none: nothing changes), or a named rejection. */
export type Decision<Event extends DomainEvent, Rejection> = Accepted<Event> | Rejected<Rejection>

/** The decision that these events record; none: nothing changes. */
export const accepted = <Event extends DomainEvent>(...events: readonly Event[]): Accepted<Event> => {
  return { type: 'accepted', events }
}

/** The decision that refuses a command, and why. */
export const rejected = <const Rejection>(rejection: Rejection): Rejected<Rejection> => {
  return { type: 'rejected', rejection }
}

/**
 * The pure core of an aggregate (Jérémie Chassaing's Decider: https://thinkbeforecoding.com/post/2021/12/17/functional-event-sourcing-decider).
 * Neither function uses a clock, a random source or an engine: time and ids arrive with the command.
 */
export interface Decider<State, Command, Event extends DomainEvent, Rejection> {
  /** `state` is undefined when the aggregate does not exist yet. */
  decide(state: State | undefined, command: Command): Decision<Event, Rejection>
  evolve(state: State | undefined, event: Timed<Event>): State
}

/** The input for a new record: fields with a default may be omitted. */
export type NewFields<Fields, Defaulted extends keyof Fields> = Omit<Fields, Defaulted> & Partial<Fields>

/** All fields of a new record: those supplied, otherwise their defaults. */
export function withDefaults<Fields extends object, Defaulted extends keyof Fields>(
  given: NewFields<Fields, Defaulted>,
  defaults: Pick<Fields, Defaulted>,
): Fields {
  const all: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) all[name] = value
  return all as Fields
}

/**
 * The fields of `changes` whose value differs from `current`; undefined means unchanged. Field names are not checked:
 * callers must pass editable fields only.
 */
export function changedFields<Fields extends object>(current: Fields, changes: Partial<Fields>): Partial<Fields> {
  const isChange = ([field, value]: [string, unknown]): boolean =>
    value !== undefined && value !== current[field as keyof Fields]
  return Object.fromEntries(Object.entries(changes).filter(isChange)) as Partial<Fields>
}
