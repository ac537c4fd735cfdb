import { LRUCache } from 'lru-cache'
import type { LogEvent } from './event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { Versioned, ViewDefinition } from './ports/view.ts'

/** Answers the full state of an event's aggregate as it stood after that event. */
export type StateAfter<State> = (event: LogEvent) => Promise<State>

/**
 * For a follower that goes through the log in order: it remembers the aggregates seen last, so that the next
 * event of one costs one fold. An event that doesn't follow upon what is remembered (after a restart, or when the log
 * is gone through again) has its stream read up to it. `capacity`: how many aggregates are remembered.
 */
export function createStateAfter<State>(
  events: Pick<EventStore, 'readStream'>,
  { fold }: Pick<ViewDefinition<State>, 'fold'>,
  capacity = 10_000,
): StateAfter<State> {
  const remembered = new LRUCache<string, Pick<Versioned<State>, 'state' | 'version'>>({ max: capacity })

  async function stateAfter(event: LogEvent): Promise<State> {
    if (event.version === 1) return fold(undefined, event)
    const before = remembered.get(event.stream.id)
    if (before?.version === event.version - 1) return fold(before.state, event)
    const past = await events.readStream(event.stream, { upToVersion: event.version - 1 })
    return fold(past.reduce<State | undefined>(fold, undefined), event)
  }

  return async (event) => {
    const state = await stateAfter(event)
    remembered.set(event.stream.id, { state, version: event.version })
    return state
  }
}
