import type { Kafka, Message, Producer } from 'kafkajs'
import type { KafkaClient } from './client.ts'
import { waitAtMost } from './wait-at-most.ts'

export interface Publisher {
  /**
   * Answers when all in-sync replicas have the messages, in this order for each key; tried again for ever while Kafka is
   * away. Throws when it was stopped meanwhile, or the broker refused: some of them may be in the topic.
   */
  publish(messages: readonly Message[]): Promise<void>
  /** Answers once the first batch could be sent at once; rejects when it was stopped before. */
  connect(): Promise<void>
  /** Gives what is under way `STOP_GRACE` to end, then ends the client. */
  stop(): Promise<void>
}

/** In milliseconds. */
const STOP_GRACE = 2_000

/**
 * Publishes to one topic, one batch in flight: several at a time break the order of a key when one is sent again.
 *
 * @param prepare makes what must be there before the first message
 */
export function createPublisher(
  client: KafkaClient,
  topic: string,
  prepare: (kafka: Kafka) => Promise<void>,
): Publisher {
  let producer: Promise<Producer> | undefined
  let last: Promise<void> = Promise.resolve()
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => undefined)

  async function open(): Promise<Producer> {
    await prepare(client.kafka)
    const connected = client.kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false })
    await connected.connect()
    return connected
  }

  function connected(): Promise<Producer> {
    producer ??= open().catch((error) => {
      producer = undefined
      throw error
    })
    return producer
  }

  async function send(messages: readonly Message[]): Promise<void> {
    const sending = connected()
    try {
      await (await sending).send({ topic, acks: -1, messages: [...messages] })
    } catch (error) {
      // Its sequence numbers may be ahead of the broker's, which would take the next batch for one it has already.
      producer = undefined
      void sending.then((failed) => failed.disconnect()).catch(() => undefined)
      throw error
    }
  }

  return {
    publish(messages) {
      const sent = last.then(() => Promise.race([send(messages), stopped.promise]))
      last = sent.catch(() => undefined)
      return sent
    },
    async connect() {
      await connected()
    },
    async stop() {
      await waitAtMost(STOP_GRACE, last)
      stopped.reject(new Error(`the publisher of ${topic} was stopped`))
      client.end()
    },
  }
}
