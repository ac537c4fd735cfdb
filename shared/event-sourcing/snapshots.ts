import type { EventStore } from './ports/event-store.ts'
import type { Versioned, ViewDefinition } from './ports/view.ts'
import { readInChunks } from './stream-chunks.ts'

/**
 * A view stores a snapshot of an aggregate, its whole state, about every so many versions. So a state of the past is a
 * read of at most about so many events, however long the stream: 640 KB of events with 10,000 characters each.
 */
export const SNAPSHOT_INTERVAL = 64

/** Whether an aggregate that goes from one version to another leaves a snapshot of the other one behind. */
export function leavesSnapshot(from: number, to: number): boolean {
  return Math.floor(to / SNAPSHOT_INTERVAL) > Math.floor(from / SNAPSHOT_INTERVAL)
}

/** All the snapshots that a stream should have, folded from its events, the oldest first. */
export async function* snapshotsOf<State>(
  events: Pick<EventStore, 'readStream'>,
  { category, fold }: Pick<ViewDefinition<State>, 'category' | 'fold'>,
  id: string,
): AsyncGenerator<Versioned<State>> {
  let state: State | undefined
  for await (const chunk of readInChunks(events, { category, id })) {
    for (const event of chunk) {
      state = fold(state, event)
      if (leavesSnapshot(event.version - 1, event.version)) yield { state, version: event.version, at: event.at }
    }
  }
}
