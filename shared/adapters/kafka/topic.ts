import type { Kafka } from 'kafkajs'
import type { DeadLetters } from '../../event-sourcing/ports/dead-letters.ts'
import type { TopicConsumer, TopicPublisher } from '../../event-sourcing/ports/topic.ts'
import type { Logger } from '../../logger.ts'
import { createKafkaClient } from './client.ts'
import { createConsumer } from './consumer.ts'
import { createKafkaDeadLetters } from './dead-letters.ts'
import { ensureDeadTopic } from './dead-topic.ts'
import { toKafkaMessage } from './message-form.ts'
import { createPublisher } from './publisher.ts'
import { createReachability } from './reachability.ts'
import { ensureTopic } from './topic-settings.ts'
import { createTopicState, type TopicFigures } from './topic-state.ts'

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
  /** Begins to prepare for the first message, so that it need not wait. */
  connect(): void
  /** How the topic stands; rejects when Kafka does not answer within a second. */
  figures(): Promise<TopicFigures>
  /** Rejects when Kafka does not answer within a second, or has no such topic. */
  check(): Promise<void>
  /**
   * Lets go of all connections. A publish that waits for Kafka throws within 2 s, so this is to be called beside a
   * relay's stop, not after it.
   */
  close(): Promise<void>
}

/** A topic on Kafka. Nothing is connected or made before it is used; while Kafka is away, calls wait, and say so. */
export function createKafkaTopic(options: KafkaTopicOptions): KafkaTopic {
  const { brokers, topic, groupId = 'mint', partitions, replication, logger } = options
  // Each end has a client of its own, which ends with it.
  const reachability = createReachability(logger)
  const newClient = () => createKafkaClient({ brokers, logger, reachability })
  const prepare = (kafka: Kafka) => ensureTopic(kafka, { topic, partitions, replication })
  const publisher = createPublisher(newClient(), topic, prepare)
  const consumer = createConsumer({ client: newClient(), topic, groupId, logger, prepare })
  const deadTopic = `${topic}.dead`
  const prepareDead = (kafka: Kafka) => ensureDeadTopic(kafka, { topic, deadTopic, replication, logger })
  const { stop: stopSettingAside, ...deadLetters } = createKafkaDeadLetters(newClient(), deadTopic, prepareDead)
  const state = createTopicState({
    client: newClient(),
    topic,
    deadTopic,
    groupId,
    prepare: async (kafka) => {
      await prepare(kafka)
      await prepareDead(kafka)
    },
    countDeadLetters: () => deadLetters.count(),
  })
  return {
    publisher: {
      publish: (messages) => publisher.publish(messages.map(toKafkaMessage)),
      confirm: publisher.confirm,
    },
    consumer,
    deadLetters,
    connect() {
      // Whoever publishes finds out, too.
      publisher.connect().catch((error) => logger.warn({ err: error, topic }, 'could not prepare to publish'))
    },
    figures: state.figures,
    check: state.check,
    async close() {
      state.stop()
      await Promise.all([publisher.stop(), consumer.stop(), stopSettingAside()])
    },
  }
}
