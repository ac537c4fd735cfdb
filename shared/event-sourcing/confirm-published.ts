import type { Position } from './event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { TopicPublisher } from './ports/topic.ts'
import { ACCEPTED_REQUEST, REFUSED_REQUEST } from './recorded-requests.ts'

export interface PublishingOptions {
  readonly events: Pick<EventStore, 'countIn'>
  readonly publisher: TopicPublisher
  /** Interval between two checks, in milliseconds. */
  readonly confirmMilliseconds: number
}

/** Tracks what is published from a position on, beginning with the count of what was published up to it. */
export async function publishingFrom(position: Position, options: PublishingOptions) {
  const { publisher, confirmMilliseconds } = options
  if (publisher.confirm === undefined) return { add: () => undefined, confirm: async () => undefined }
  let published = await countPublished(position, options)
  let confirmAt = 0
  return {
    /** Counts further published messages. */
    add(messages: number) {
      published += messages
    },
    /** Asks the topic, at most once per interval. Throws MessagesLost when the topic was deleted. */
    async confirm() {
      if (performance.now() < confirmAt) return
      if (published > 0) await publisher.confirm?.(published)
      confirmAt = performance.now() + confirmMilliseconds
    },
  }
}

/**
 * A lower bound for the number of messages published up to a position: events about requests produce no message, so all
 * of them are subtracted, wherever they are in the log. They are counted last, so none is missed.
 */
async function countPublished(position: Position, { events }: PublishingOptions): Promise<number> {
  const counts = await Promise.all([ACCEPTED_REQUEST, REFUSED_REQUEST].map(events.countIn))
  return counts.reduce((left, count) => Math.max(0, left - count), position)
}
