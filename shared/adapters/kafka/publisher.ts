import type { Kafka, Producer } from 'kafkajs'
import { ONCE, sharingRuns } from '../../async/shared-runs.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { piecesOf } from '../../budget/pace.ts'
import { MessagesLost, type TopicMessage } from '../../event-sourcing/ports/topic.ts'
import { RETRIES_IN_FIVE_SECONDS, withAdmin } from './client.ts'
import { toKafkaMessage } from './message-form.ts'
import { explained, hasType, UNKNOWN_TOPIC } from './problem.ts'

/** How long `stop` waits for the batch in progress, in milliseconds. */
const STOP_GRACE = 2_000

/**
 * Publishes to one topic with one batch in flight: with several, a retry would break the order within a key.
 *
 * @param prepare creates what must exist before the first message
 */
export function createPublisher(kafka: Kafka, topic: string, prepare: () => Promise<void>) {
  let last: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  const producer = sharingRuns(async () => {
    await prepare()
    return await connectProducer(kafka)
  }, ONCE)

  /** In pieces that a broker takes, one after the other. */
  async function send(messages: readonly TopicMessage[]): Promise<void> {
    const sending = producer.join()
    try {
      for (const piece of piecesOf(messages, bytesOf, MAX_REQUEST_BYTES)) {
        await (await sending).send({ topic, acks: -1, messages: piece.map(toKafkaMessage) })
      }
    } catch (error) {
      // Its sequence numbers may be ahead of the broker's, which would take the next batch for a duplicate.
      forgetProducer()
      throw explained(error)
    }
  }

  function forgetProducer(): void {
    const failed = producer.latest()
    producer.forget()
    void failed?.then((connected) => connected.disconnect()).catch(() => undefined)
  }

  async function confirm(published: number): Promise<void> {
    const received = await countReceived(kafka, topic)
    if (received >= published) return
    forgetProducer()
    throw new MessagesLost(
      `${topic} has only ${received} of ${published} published messages: it was deleted after they were published`,
    )
  }

  return {
    /**
     * Resolves when all in-sync replicas have the messages, in this order per key; retries for ever while Kafka is
     * unavailable. Throws when stopped meanwhile, or when the broker refused for five seconds (for example because the
     * topic is missing): some messages may then be in the topic, and the next call prepares again.
     */
    publish(messages: readonly TopicMessage[]): Promise<void> {
      const sent = last.then(() => unlessAborted(stopping.signal, send(messages)))
      last = sent.catch(() => undefined)
      return sent
    },
    confirm: (published: number) => unlessAborted(stopping.signal, confirm(published)),
    /** Resolves once a first batch can be sent without delay; rejects when stopped before. */
    async connect() {
      await producer.join()
    },
    /** Waits up to STOP_GRACE for the batch in progress; a publish that still waits for Kafka then throws. */
    async stop() {
      await withTimeout(STOP_GRACE, last).catch(() => undefined)
      stopping.abort(new Error(`the publisher of ${topic} was stopped`))
    },
  }
}

/** By default, brokers refuse more than 1 MB for one partition in a request. The last message of a piece comes on top. */
const MAX_REQUEST_BYTES = 700_000

function bytesOf({ key, headers, value }: TopicMessage): number {
  return [key, value, ...Object.entries(headers).flat()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

async function connectProducer(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: { retries: RETRIES_IN_FIVE_SECONDS },
  })
  try {
    await producer.connect()
  } catch (error) {
    // It may be connected: a broker can accept the connection and still refuse to assign a producer id.
    await producer.disconnect().catch(() => undefined)
    throw error
  }
  return producer
}

/** How many messages a topic has received since its creation, 0 when it doesn't exist. */
async function countReceived(kafka: Kafka, topic: string): Promise<number> {
  try {
    const offsets = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic))
    return offsets.reduce((total, { high }) => total + Number(high), 0)
  } catch (error) {
    if (hasType(error, UNKNOWN_TOPIC)) return 0
    throw error
  }
}
