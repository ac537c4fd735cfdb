import assert from 'node:assert/strict'
import type { Decider } from '../../shared/event-sourcing/decider.ts'
import type { DomainEvent, Timed } from '../../shared/event-sourcing/event.ts'

/**
 * A test of one decision: given these past events, when a command arrives, then these events or this refusal.
 * Every given event is one millisecond after the one before, the first at 1.
 */
export function specification<State, Command, Event extends DomainEvent, Rejection>(
  decider: Decider<State, Command, Event, Rejection>,
) {
  return (...given: readonly Event[]) => ({
    when(command: Command) {
      const decision = decider.decide(stateAfter(decider, given), command)
      return {
        // biome-ignore lint/suspicious/noThenProperty: the usual word in such tests; never awaited
        then: (...events: readonly Event[]) => assert.deepEqual(decision, { type: 'accepted', events }),
        thenRejected: (rejection: Rejection) => assert.deepEqual(decision, { type: 'rejected', rejection }),
      }
    },
    thenState: (state: State) => assert.deepEqual(stateAfter(decider, given), state),
  })
}

/** The state that events fold to, timed as `specification` does. */
export function stateAfter<State, Event extends DomainEvent>(
  { evolve }: Pick<Decider<State, never, Event, unknown>, 'evolve'>,
  events: readonly Event[],
): State | undefined {
  return events.reduce<State | undefined>(
    (state, event, index) => evolve(state, { ...event, at: index + 1 } as Timed<Event>),
    undefined,
  )
}
