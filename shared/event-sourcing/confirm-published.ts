import type { Position } from './event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { TopicMessage, TopicPublisher } from './ports/topic.ts'

export interface PublishingOptions {
  readonly events: Pick<EventStore, 'countIn' | 'head'>
  readonly publisher: TopicPublisher
  /** The categories whose events are published on the topic. */
  readonly categories: readonly string[]
  /** Interval between two checks, in milliseconds. */
  readonly confirmMilliseconds: number
}

/** Publishes on a topic from a position of the log, and counts the messages published, including those before it. */
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
 * A lower bound for the number of messages published up to a position: all events of the topic's categories, less all
 * events after the position, whatever their category. The head is read last, so that no event appended meanwhile counts.
 */
async function countPublished(position: Position, { events, categories }: PublishingOptions): Promise<number> {
  const counts = await Promise.all(categories.map(events.countIn))
  const after = (await events.head()) - position
  return Math.max(0, counts.reduce((sum, count) => sum + count, 0) - after)
}
