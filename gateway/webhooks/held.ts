import { bodyKey, heldKey } from '../../shared/webhooks/progress.ts'
import type { Entry, Queue } from './queue.ts'
import type { DeliveryStore } from './store.ts'

/** Stores the events of a webhook's queue that are held up. `stored`: those of before, in the order of their numbers. */
export function createHeld(
  id: string,
  stored: readonly Entry[],
  { queue, store }: { queue: Queue; store: DeliveryStore },
) {
  let next = (stored.at(-1)?.number ?? 0) + 1
  for (const entry of stored) queue.put(entry)
  return {
    /** Stores an event of the queue as it is now: how it is tried again, and its body once. */
    put(entry: Entry): void {
      const { body, ...rest } = entry
      const number = entry.number ?? next++
      queue.put({ ...rest, number })
      // The body first, as only the first of these may be stored.
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
