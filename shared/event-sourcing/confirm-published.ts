import type { Position } from './event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { TopicMessage, TopicPublisher } from './ports/topic.ts'

export interface PublishingOptions {
  readonly events: Pick<EventStore, 'countIn' | 'head'>
  readonly publisher: TopicPublisher
  /** Of the streams whose events are published on the topic. */
  readonly categories: readonly string[]
  /** Interval between two checks, in milliseconds. */
  readonly confirmMilliseconds: number
}

/** Publishes on a topic from a position of the log on, and counts what is published, beginning with what was before. */
export async function publishingFrom(position: Position, options: PublishingOptions) {
  const { publisher, confirmMilliseconds } = options
  let published = publisher.confirm === undefined ? 0 : await countPublished(position, options)
  let confirmAt = 0
  return {
    async publish(messages: readonly TopicMessage[]) {
      await publisher.publish(messages)
      published += messages.length
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
 * A lower bound for the number of messages published up to a position: all events of the topic's streams, as if all of
 * the log after the position were theirs. The head is read last, so none is counted that comes meanwhile.
 */
async function countPublished(position: Position, { events, categories }: PublishingOptions): Promise<number> {
  const counts = await Promise.all(categories.map(events.countIn))
  const after = (await events.head()) - position
  return Math.max(0, counts.reduce((sum, count) => sum + count, 0) - after)
}
