import { LRUCache } from 'lru-cache'
import type { LogEvent } from './event.ts'
import { type Past, stateAt } from './past-states.ts'
import type { Versioned } from './ports/view.ts'

/** Returns the full state of an event's aggregate right after that event. */
export type StateAfter<State> = (event: LogEvent) => Promise<State>

/**
 * For a follower that reads the log in order: caches `capacity` aggregates, so that the next event of one takes a single
 * fold. If an event doesn't follow the cached version (after a restart, or when the log is read again), the state is read
 * from the store.
 */
export function createStateAfter<State>(past: Past<State>, capacity = 10_000): StateAfter<State> {
  const { fold } = past.view.definition
  const cache = new LRUCache<string, Pick<Versioned<State>, 'state' | 'version'>>({ max: capacity })

  async function stateAfter(event: LogEvent): Promise<State> {
    if (event.version === 1) return fold(undefined, event)
    const before = cache.get(event.stream.id)
    if (before?.version === event.version - 1) return fold(before.state, event)
    return await stateAt(past, event.stream.id, event.version)
  }

  return async (event) => {
    const state = await stateAfter(event)
    cache.set(event.stream.id, { state, version: event.version })
    return state
  }
}
