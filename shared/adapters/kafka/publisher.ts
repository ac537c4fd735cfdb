import type { Kafka, Message, Producer } from 'kafkajs'

export interface Publisher {
  /**
   * Answers when all in-sync replicas have the messages, in this order for each key; tried again for ever while Kafka is
   * away. Throws when it was stopped meanwhile, or the broker refused: some of them may be in the topic.
   */
  publish(messages: readonly Message[]): Promise<void>
  /** Gives what is under way `STOP_GRACE` to end. */
  stop(): Promise<void>
}

/** In milliseconds. */
const STOP_GRACE = 2_000

/**
 * Publishes to one topic, one batch in flight: several at a time break the order of a key when one is sent again.
 *
 * @param prepare makes what must be there before the first message
 */
export function createPublisher(kafka: Kafka, topic: string, prepare: () => Promise<void>): Publisher {
  let producer: Promise<Producer> | undefined
  let last: Promise<void> = Promise.resolve()
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => undefined)

  async function connect(): Promise<Producer> {
    await prepare()
    const connected = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false })
    await connected.connect()
    return connected
  }

  async function send(messages: readonly Message[]): Promise<void> {
    producer ??= connect()
    const sending = producer
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
    async stop() {
      const giveUp = setTimeout(() => stopped.reject(new Error(`stopped while publishing to ${topic}`)), STOP_GRACE)
      await last
      clearTimeout(giveUp)
      stopped.reject(new Error(`the publisher of ${topic} was stopped`))
      await Promise.race([producer?.then((connected) => connected.disconnect()), stopped.promise]).catch(
        () => undefined,
      )
    },
  }
}
