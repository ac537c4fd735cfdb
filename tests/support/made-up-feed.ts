import { setTimeout as delay } from 'node:timers/promises'
import type { FeedPage } from '../../gateway/events/feed.ts'
import type { ReadPage } from '../../gateway/webhooks/reading.ts'
import { unknownCursor } from '../../shared/events/cursor.ts'
import type { Envelope } from '../../shared/events/envelope.ts'

/** A feed in memory. */
export function madeUpFeed() {
  const all: Envelope[] = []
  /** `errors`: thrown by the next reads, in order. */
  const state = { errors: [] as Error[] }
  return {
    all,
    state,
    /** Adds the next version of a record. */
    add(subject: string, changes: Partial<Envelope> = {}): Envelope {
      const source = 'mint/contracts'
      const recordversion = changes.recordversion ?? all.filter((event) => event.subject === subject).length + 1
      const event = {
        id: `${source}/${all.length + 1}`,
        source,
        type: `mint.contract.${recordversion === 1 ? 'created' : 'edited'}.v1`,
        subject,
        time: Date.now(),
        recordversion,
        actor: 'somebody',
        changed: 'notes',
        data: JSON.stringify({ id: subject, version: recordversion }),
        ...changes,
      } as const
      all.push(event)
      return event
    },
    end: (): string => String(all.length),
    async beyond(cursor: string): Promise<void> {
      const begun = Date.now()
      while (all.length <= Number(cursor) && Date.now() - begun < 3_000) await delay(5)
    },
    async read({ after: given = '0', since, until }: Parameters<ReadPage>[0], limit = 100): Promise<FeedPage> {
      const after = given === 'now' ? String(all.length) : given
      if (Number(after) > all.length) throw unknownCursor()
      const error = state.errors.shift()
      if (error) throw error
      const seen = all.slice(Number(after), Number(after) + limit)
      const events = seen.filter(({ time }) => time >= (since ?? 0) && time <= (until ?? Number.POSITIVE_INFINITY))
      const next = Number(after) + seen.length
      return { events, next: String(next), more: next < all.length }
    },
  }
}
