import { memoized } from '../../shared/async/memoized.ts'
import type { Timed } from '../../shared/event-sourcing/event.ts'
import { type Envelope, structured } from '../../shared/events/envelope.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import type { WebhookTested } from '../../shared/webhooks/events.ts'
import { bodyKey, heldKey } from '../../shared/webhooks/progress.ts'
import type { DeliveryStore } from './store.ts'

/** An event on its way to one receiver. */
export interface Queued {
  readonly id: string
  readonly type: string
  readonly subject: string
  /** The record whose events stay in order: the event's source and subject. */
  readonly record: string
  /** When it happened, as everything here in milliseconds since the epoch. */
  readonly time: number
  /** Where the webhook delivered when the event was read; undefined: it is a test, or from an earlier version of Mint. */
  readonly url?: string | undefined
  /** How many attempts there were. */
  attempt: number
  /** When it may be tried; BEFORE_ALL: it goes first. */
  dueAt: number
  /** The number that it is stored under; undefined: it isn't stored yet. */
  number?: number | undefined
  /** The span in which it was recorded, if its request was sampled. */
  readonly traceparent?: string | undefined
  /** Undefined: it is stored. */
  body?: string | undefined
}

export const BEFORE_ALL = 0

/** Serialised once for all webhooks. */
const bodyOf = memoized(structured)

/** An event of the feed that may be sent at once. */
export const toQueued = (event: Envelope, url: string, now: number): Queued => ({
  id: event.id,
  type: event.type,
  subject: event.subject,
  record: `${event.source} ${event.subject}`,
  time: event.time,
  url,
  attempt: 0,
  dueAt: now,
  traceparent: event.traceparent,
  body: bodyOf(event),
})

export const TEST_TYPE = 'mint.webhook.test.v1'

/** The event that tests a webhook; it is in no feed. */
export function testEvent(webhook: string, { data: { eventId: id }, at }: Timed<WebhookTested>): Queued {
  const source = 'mint/webhooks'
  const event = { specversion: '1.0', id, source, type: TEST_TYPE, subject: webhook, time: formatTimestamp(at) }
  const body = JSON.stringify({ ...event, datacontenttype: 'application/json', data: {} })
  return { id, type: TEST_TYPE, subject: webhook, record: id, time: at, attempt: 0, dueAt: at, body }
}

/**
 * The events on their way to one receiver. A record's next event waits until the one before has arrived; records don't
 * wait for each other. `held`: those stored so far, in the order of their numbers.
 */
export function createQueue(webhook: string, held: readonly Queued[], store: Pick<DeliveryStore, 'change' | 'read'>) {
  const entries = new Map(held.map((entry) => [entry.id, entry]))
  let next = (held.at(-1)?.number ?? 0) + 1

  /** Stores an event as it is now; its body only once. */
  function put(entry: Queued): void {
    entry.number ??= next++
    const { body, ...rest } = entry
    // The body comes first, in case only one of the two is stored.
    if (body !== undefined) store.change(bodyKey(webhook, entry.number), body)
    store.change(heldKey(webhook, entry.number), JSON.stringify(rest))
    entry.body = undefined
  }

  function remove({ id, number }: Queued): void {
    entries.delete(id)
    if (number === undefined) return
    store.change(heldKey(webhook, number), undefined)
    store.change(bodyKey(webhook, number), undefined)
  }

  return {
    size: () => entries.size,
    all: (): readonly Queued[] => [...entries.values()],
    has: (entry: Queued): boolean => entries.get(entry.id) === entry,
    /**
     * Appends an event, which is stored with `put` or `putNew`. One that is there already moves to the end: what a replay
     * has read may be read again after it, and then an earlier event of its record precedes it.
     */
    add(entry: Queued): void {
      const known = entries.get(entry.id)
      if (known) remove(known)
      entries.set(entry.id, known ? { ...entry, attempt: known.attempt, dueAt: known.dueAt } : entry)
    },
    put,
    putNew(): void {
      for (const entry of entries.values()) if (entry.number === undefined) put(entry)
    },
    /** Takes an event out of the queue. */
    remove,
    /** The event that is due first, of those without an earlier one of their record, and of records that aren't `busy`. */
    first(busy: Iterable<string>): Queued | undefined {
      const blocked = new Set(busy)
      let first: Queued | undefined
      for (const entry of entries.values()) {
        if (blocked.has(entry.record)) continue
        blocked.add(entry.record)
        if (entry.dueAt < (first?.dueAt ?? Number.POSITIVE_INFINITY)) first = entry
      }
      return first
    },
    /** undefined: removing the event was interrupted. Throws StoreUnavailable. */
    bodyOf: async ({ body, number }: Queued): Promise<string | undefined> =>
      body ?? (await store.read(bodyKey(webhook, number))),
  }
}
