import { ACCEPTED_REQUEST } from './accepted-request.ts'
import { BEGINNING, type Position } from './event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { TopicPublisher } from './ports/topic.ts'

export interface PublishingOptions {
  readonly events: Pick<EventStore, 'countAfter' | 'countIn'>
  readonly publisher: TopicPublisher
  /** Between two questions to the topic, in milliseconds. */
  readonly confirmMilliseconds: number
}

/** What was published up to a position of the log, and what will be from there on. */
export async function publishingFrom(position: Position, options: PublishingOptions) {
  const { publisher, confirmMilliseconds } = options
  if (publisher.confirm === undefined) return { add: () => undefined, confirm: async () => undefined }
  let published = await countPublished(position, options)
  let confirmAt = 0
  return {
    /** So many more messages were published. */
    add(messages: number) {
      published += messages
    },
    /** Asks the topic when it is time to. Throws MessagesLost when it was deleted. */
    async confirm() {
      if (performance.now() < confirmAt) return
      if (published > 0) await publisher.confirm?.(published)
      confirmAt = performance.now() + confirmMilliseconds
    },
  }
}

/**
 * How many messages came of the events up to a position, at the least: those of requests that changed nothing make none,
 * wherever in the log they are. What is counted first can't have grown since.
 */
async function countPublished(position: Position, { events }: PublishingOptions): Promise<number> {
  const all = await events.countAfter(BEGINNING)
  const before = all - (await events.countAfter(position))
  return Math.max(0, before - (await events.countIn(ACCEPTED_REQUEST)))
}
