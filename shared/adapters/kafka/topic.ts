import type { Kafka } from 'kafkajs'
import type { DeadLetters } from '../../event-sourcing/dead-letters.ts'
import type { TopicConsumer, TopicPublisher } from '../../event-sourcing/topic.ts'
import type { Logger } from '../../logger.ts'
import { createKafkaClient } from './client.ts'
import { createConsumer } from './consumer.ts'
import { createKafkaDeadLetters } from './dead-letters.ts'
import { toKafkaMessage } from './message-form.ts'
import { createPublisher } from './publisher.ts'
import { ensureTopic } from './topic-settings.ts'

export interface KafkaTopicOptions {
  /** Addresses (`host:port`) to find the cluster by. */
  readonly brokers: readonly string[]
  readonly topic: string
  /** Members of one group share the messages; needed to consume. */
  readonly groupId?: string
  /** For a topic that does not exist yet: among how many partitions keys are spread. */
  readonly partitions: number
  /** For a topic that does not exist yet: how many brokers hold each message. */
  readonly replication: number
  readonly logger: Logger
}

export interface KafkaTopic {
  readonly publisher: TopicPublisher
  readonly consumer: TopicConsumer
  /** Messages set aside, in `<topic>.dead`. */
  readonly deadLetters: DeadLetters
  /**
   * Lets go of all connections. A publish that waits for Kafka throws within 2 s, so this is to be called beside a
   * relay's stop, not after it.
   */
  close(): Promise<void>
}

/** A topic on Kafka. Nothing is connected or made before it is used; while Kafka is away, calls wait for it. */
export function createKafkaTopic(options: KafkaTopicOptions): KafkaTopic {
  const { brokers, topic, groupId = 'mint', partitions, replication, logger } = options
  // Each end has a client of its own, which ends with it.
  const newClient = () => createKafkaClient(brokers, logger)
  const prepare = (kafka: Kafka) => ensureTopic(kafka, { topic, partitions, replication })
  const publisher = createPublisher(newClient(), topic, prepare)
  const consumer = createConsumer({ client: newClient(), topic, groupId, logger, prepare })
  const deadLetters = createKafkaDeadLetters(newClient(), `${topic}.dead`, replication)
  return {
    publisher: { publish: (messages) => publisher.publish(messages.map(toKafkaMessage)) },
    consumer,
    deadLetters,
    async close() {
      await Promise.all([publisher.stop(), consumer.stop(), deadLetters.stop()])
    },
  }
}
