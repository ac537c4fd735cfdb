import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent, StreamName } from './event.ts'
import type { EventStore, StreamRange } from './ports/event-store.ts'

/** How many events are in memory at a time: 640 KB when each has 10,000 characters. */
const EVENTS_PER_CHUNK = 64

/**
 * A stream's events in version order, chunk by chunk. However long the stream, only one chunk is in memory, and other
 * work gets a turn after each.
 */
export async function* readInChunks(
  events: Pick<EventStore, 'readStream'>,
  stream: StreamName,
  { afterVersion = 0, upToVersion = Number.MAX_SAFE_INTEGER }: StreamRange = {},
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let after = afterVersion; after < upToVersion; after += EVENTS_PER_CHUNK) {
    const range = { afterVersion: after, upToVersion: Math.min(after + EVENTS_PER_CHUNK, upToVersion) }
    const chunk = await events.readStream(stream, range)
    if (chunk.length > 0) yield chunk
    if (chunk.length < EVENTS_PER_CHUNK) return
    await nextTurn()
  }
}
