import type { TopicConsumer, TopicHandler, TopicMessage, TopicPublisher } from '../../event-sourcing/ports/topic.ts'

/** Both ends of a topic within one process. */
export interface InProcessTopic {
  readonly publisher: TopicPublisher
  readonly consumer: TopicConsumer
}

/**
 * A topic that keeps nothing: `publish` answers once the consumer's handler did and throws what it threw, so that the
 * publisher's checkpoint is the consumer's too. Calls of publish are handled one after another, in order; without a
 * running consumer they throw.
 */
export function createInProcessTopic(): InProcessTopic {
  let handler: TopicHandler | undefined
  let last: Promise<void> = Promise.resolve()

  async function deliver(messages: readonly TopicMessage[]): Promise<void> {
    if (handler === undefined) throw new Error('Nobody consumes this topic now: start its consumer.')
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
