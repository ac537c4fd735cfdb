import { setTimeout as pause } from 'node:timers/promises'
import type { FeedEvent } from '../history-at-end.ts'
import type { Client } from './client.ts'

export type FollowedFeed = ReturnType<typeof followFeed>

/** Follows the feed through random gateways, despite any faults. */
export function followFeed({ call, random, gateways }: Pick<Client, 'call' | 'random' | 'gateways'>) {
  const events: FeedEvent[] = []
  let after = ''
  let isOver = false

  /** Whether there were no more events. */
  async function readPage(wait: number): Promise<boolean> {
    const path = `/events?limit=500&wait=${wait}${after && `&after=${after}`}`
    const answer = await call(random.between(0, gateways - 1), { method: 'GET', path })
    if (answer.status !== 200) {
      await pause(100)
      return false
    }
    const { body } = answer
    events.push(...body.events.map(toFeedEvent))
    after = body.next
    return !body.more && body.events.length === 0
  }

  async function follow(): Promise<void> {
    while (!isOver) await readPage(1)
  }

  const following = follow()
  return {
    /** Resolves to all events, once there are no more. */
    async end(): Promise<readonly FeedEvent[]> {
      isOver = true
      await following
      while (!(await readPage(0)));
      return events
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
function toFeedEvent({ id, source, type, subject, recordversion: version }: any): FeedEvent {
  return { source, position: Number(id.split('/').at(-1)), kind: type.split('.')[1], subject, version }
}
