import { bodyKey, heldKey } from '../../shared/webhooks/progress.ts'
import type { Entry, Queue } from './queue.ts'
import type { DeliveryStore } from './store.ts'

/** Stores the events in a webhook's queue that are held up. `stored`: those so far, in the order of their numbers. */
export function createHeld(
  id: string,
  stored: readonly Entry[],
  { queue, store }: { queue: Queue; store: DeliveryStore },
) {
  let next = (stored.at(-1)?.number ?? 0) + 1
  for (const entry of stored) queue.put(entry)
  return {
    /** Stores the current state of an event in the queue; its body only once. */
    put(entry: Entry): void {
      const { body, ...rest } = entry
      const number = entry.number ?? next++
      queue.put({ ...rest, number })
      // The body comes first, in case only one of the two is stored.
      if (body !== undefined) store.change(bodyKey(id, number), body)
      store.change(heldKey(id, number), JSON.stringify({ ...rest, number }))
    },
    /** Takes an event out of the queue. */
    remove(entry: Entry): void {
      queue.remove(entry)
      if (entry.number === undefined) return
      store.change(heldKey(id, entry.number), undefined)
      store.change(bodyKey(id, entry.number), undefined)
    },
    /** Throws StoreUnavailable. */
    bodyOf: async ({ body, number = 0 }: Entry): Promise<string> =>
      body ?? (await store.read(bodyKey(id, number))) ?? '',
  }
}
