import { LRUCache } from 'lru-cache'
import type { LogEvent } from './event.ts'
import { type Past, stateAt } from './past-states.ts'
import type { Versioned } from './ports/view.ts'

/** Answers the full state of an event's aggregate as it stood after that event. */
export type StateAfter<State> = (event: LogEvent) => Promise<State>

/**
 * For a follower that goes through the log in order: it remembers the aggregates seen last, so that the next
 * event of one costs one fold. An event that doesn't follow upon what is remembered (after a restart, or when the log
 * is gone through again) has its state read. `capacity`: how many aggregates are remembered.
 */
export function createStateAfter<State>(past: Past<State>, capacity = 10_000): StateAfter<State> {
  const { fold } = past.view.definition
  const remembered = new LRUCache<string, Pick<Versioned<State>, 'state' | 'version'>>({ max: capacity })

  async function stateAfter(event: LogEvent): Promise<State> {
    if (event.version === 1) return fold(undefined, event)
    const before = remembered.get(event.stream.id)
    if (before?.version === event.version - 1) return fold(before.state, event)
    return await stateAt(past, event.stream.id, event.version)
  }

  return async (event) => {
    const state = await stateAfter(event)
    remembered.set(event.stream.id, { state, version: event.version })
    return state
  }
}
