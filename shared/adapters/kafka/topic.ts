import { createKafkaClient, type KafkaClientOptions } from './client.ts'
import { createConsumer } from './consumer.ts'
import { createLossRecovery } from './lost-messages.ts'
import { createPublisher } from './publisher.ts'
import { ensureTopic, type TopicSettings } from './topic-settings.ts'
import { createTopicState } from './topic-state.ts'

export interface KafkaTopicOptions extends KafkaClientOptions, TopicSettings {
  /** Members of one group share the messages; required for consuming. */
  readonly groupId?: string
  /** Requests that everything be published again when messages were deleted before the group handled them. */
  readonly publishAgain?: () => Promise<unknown>
}

export type KafkaTopic = ReturnType<typeof createKafkaTopic>

/** A topic on Kafka, connected and created on first use. While Kafka is unavailable, calls wait, which is logged. */
export function createKafkaTopic(options: KafkaTopicOptions) {
  const { brokers, security, topic, groupId = 'mint', partitions, replication, publishAgain, logger } = options
  const { kafka, end } = createKafkaClient({ brokers, security, logger })
  const prepare = () => ensureTopic(kafka, { topic, partitions, replication })
  const publisher = createPublisher(kafka, topic, prepare)
  const recoverLost = publishAgain && createLossRecovery({ kafka, topic, groupId, publishAgain, logger })
  const consumer = createConsumer({ kafka, topic, groupId, logger, prepare, recoverLost })
  return {
    publisher,
    consumer,
    ...createTopicState({ kafka, topic, groupId }),
    /** Prepares in advance for the first message, so that it needn't wait. */
    connect() {
      // Publishing will fail in the same way and report it.
      publisher.connect().catch((error) => logger.debug({ err: error, topic }, 'could not prepare to publish'))
    },
    /**
     * Closes all connections. A publish that is waiting for Kafka then throws within 2 s, so call it together with a
     * relay's stop, not after it.
     */
    async close() {
      await Promise.all([publisher.stop(), consumer.stop()])
      end()
    },
  }
}
