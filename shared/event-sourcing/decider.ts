import type { DomainEvent, Timed } from './event.ts'

/** The result of deciding a command: the events that record it (none: nothing changes), or a named rejection. */
export type Decision<Event extends DomainEvent, Rejection> =
  | { readonly type: 'accepted'; readonly events: readonly Event[] }
  | { readonly type: 'rejected'; readonly rejection: Rejection }

/**
 * The pure core of an aggregate (Jérémie Chassaing's Decider: https://thinkbeforecoding.com/post/2021/12/17/functional-event-sourcing-decider).
 * Neither function uses a clock, a random source or an engine: time and ids arrive with the command.
 */
export interface Decider<State, Command, Event extends DomainEvent, Rejection> {
  /** `state` is undefined when the aggregate does not exist yet. */
  decide(state: State | undefined, command: Command): Decision<Event, Rejection>
  evolve(state: State | undefined, event: Timed<Event>): State
}
