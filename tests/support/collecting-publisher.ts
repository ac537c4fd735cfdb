import type { TopicMessage, TopicPublisher } from '../../shared/event-sourcing/ports/topic.ts'

/** Stands in for the broker: stores what it gets, and refuses as often as requested. */
export function collecting({ failures = 0 } = {}) {
  const published: TopicMessage[] = []
  const failing = { left: failures, count: 0 }
  const publisher: TopicPublisher = {
    async publish(messages) {
      if (failing.left > 0) {
        failing.left--
        failing.count++
        throw new Error('refused')
      }
      published.push(...messages)
    },
  }
  return { publisher, published, failures: failing }
}
