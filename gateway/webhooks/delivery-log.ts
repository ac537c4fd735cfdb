import { type Delivery, deliveriesKey, MAX_DELIVERIES } from '../../shared/webhooks/progress.ts'
import type { DeliveryStore } from './store.ts'

export type DeliveryLog = ReturnType<typeof createDeliveryLog>

/** The last deliveries of a webhook, stored in chunks. `stored`: the chunks so far, by key, oldest first. */
export function createDeliveryLog(id: string, stored: ReadonlyMap<string, string>) {
  const chunks = [...stored].map(([key, text]) => ({ key, count: (JSON.parse(text) as unknown[]).length }))
  let next = Number(chunks.at(-1)?.key.split('/').at(-1) ?? 0) + 1
  let total = chunks.reduce((sum, { count }) => sum + count, 0)
  let added: Delivery[] = []
  return {
    add: (delivery: Delivery): unknown => added.push(delivery),
    /** Stores what was added since the last call, and drops the oldest chunks that are no longer needed. */
    collect(change: DeliveryStore['change']): void {
      if (added.length === 0) return
      const key = deliveriesKey(id, next++)
      change(key, JSON.stringify(added))
      chunks.push({ key, count: added.length })
      total += added.length
      added = []
      while (total - (chunks[0]?.count ?? 0) >= MAX_DELIVERIES) {
        const oldest = chunks.shift()
        if (oldest === undefined) return
        total -= oldest.count
        change(oldest.key, undefined)
      }
    },
  }
}
