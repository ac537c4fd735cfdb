import assert from 'node:assert/strict'
import type { Rest } from './rest.ts'

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
export type FeedEvent = any

/** Reads the feed to its end; `query` has its filters. Returns its events, and the cursor after them. */
export async function readFeed(call: Rest, query: Readonly<Record<string, string | number>> = {}) {
  const { after, ...filters } = query
  const events: FeedEvent[] = []
  for (let next = after; ; ) {
    const parameters = { ...filters, ...(next !== undefined && { after: next }) }
    const search = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const { status, body, text } = await call('GET', `/events?${search.join('&')}`)
    assert.equal(status, 200, text)
    events.push(...body.events)
    assert.ok(body.events.length <= Number(query.limit ?? 100))
    if (!body.more) return { events, next: String(body.next) }
    assert.notEqual(body.next, next, 'the feed goes on')
    next = body.next
  }
}

/** Asserts that the feed still starts with the events read before, and continues after the cursor from then. */
export async function assertFeedGoesOn(call: Rest, before: Awaited<ReturnType<typeof readFeed>>): Promise<void> {
  const { events } = await readFeed(call, { limit: 1_000 })
  assert.deepEqual(events.slice(0, before.events.length), before.events)
  assert.deepEqual((await readFeed(call, { after: before.next })).events, events.slice(before.events.length))
}

/** Asserts that every event is there once, and each record's versions are in order and without gaps. */
export function assertInOrder(events: readonly FeedEvent[]): void {
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'no event twice')
  for (const [record, ofRecord] of Map.groupBy(events, ({ source, type, subject }) => {
    return [source, type.split('.')[1], subject].join(' ')
  })) {
    assert.deepEqual(
      ofRecord.map(({ recordversion }) => recordversion),
      ofRecord.map((_, index) => index + 1),
      record,
    )
  }
}
