import type { TopicConsumer, TopicHandler, TopicMessage, TopicPublisher } from '../../event-sourcing/ports/topic.ts'

/**
 * Both ends of a topic within one process. It stores nothing: `publish` settles like the consumer's handler, so the
 * publisher's checkpoint is also the consumer's. Calls of publish are handled one at a time, in order; they throw while
 * no consumer is running.
 */
export function createInProcessTopic(): { readonly publisher: TopicPublisher; readonly consumer: TopicConsumer } {
  let handler: TopicHandler | undefined
  let last: Promise<void> = Promise.resolve()

  async function deliver(messages: readonly TopicMessage[]): Promise<void> {
    if (handler === undefined) throw new Error('This topic has no running consumer: start it.')
    await handler(messages)
  }

  return {
    publisher: {
      publish(messages) {
        const delivered = last.then(() => deliver(messages))
        last = delivered.catch(() => {})
        return delivered
      },
    },
    consumer: {
      async run(newHandler) {
        handler = newHandler
      },
      async stop() {
        handler = undefined
        await last
      },
    },
  }
}
