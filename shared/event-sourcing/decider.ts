import type { DomainEvent, Timed } from './event.ts'

/** What a command comes to: the events that record it (none: nothing changes), or a named refusal. */
export type Decision<Event extends DomainEvent, Rejection> =
  | { readonly type: 'accepted'; readonly events: readonly Event[] }
  | { readonly type: 'rejected'; readonly rejection: Rejection }

/**
 * The pure heart of an aggregate (the Decider of Jérémie Chassaing: https://thinkbeforecoding.com/post/2021/12/17/functional-event-sourcing-decider).
 * Neither function knows a clock, a random source or an engine: time and ids come in with the command.
 */
export interface Decider<State, Command, Event extends DomainEvent, Rejection> {
  /** `state` is undefined when the aggregate does not exist yet. */
  decide(state: State | undefined, command: Command): Decision<Event, Rejection>
  evolve(state: State | undefined, event: Timed<Event>): State
}
