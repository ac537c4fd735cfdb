import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventStore } from '../../shared/event-sourcing/ports/event-store.ts'

/** An event store that counts how many reads of streams run concurrently. */
export function countingReads(events: EventStore) {
  let [running, most] = [0, 0]
  const counting: EventStore = {
    ...events,
    async readStream(...read) {
      running += 1
      most = Math.max(most, running)
      await nextTurn()
      running -= 1
      return await events.readStream(...read)
    },
  }
  return { events: counting, mostAtOnce: () => most }
}
