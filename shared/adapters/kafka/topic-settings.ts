import type { Kafka } from 'kafkajs'
import { withAdmin } from './with-admin.ts'

export interface TopicSettings {
  readonly topic: string
  readonly partitions: number
  /** How many brokers store each message. */
  readonly replication: number
}

/**
 * Creates the topic if missing, with unlimited retention. An existing topic is left as it is: with more partitions,
 * later messages of a key would go to another partition, out of order.
 */
export async function ensureTopic(kafka: Kafka, options: TopicSettings): Promise<void> {
  const { topic, partitions, replication } = options
  const settings = {
    topic,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: [
      { name: 'retention.ms', value: '-1' },
      { name: 'cleanup.policy', value: 'delete' },
      // The brokers decompress what others compress: the driver supports only gzip, and stops at anything else.
      { name: 'compression.type', value: 'uncompressed' },
      // One of several brokers may be down, while what is acknowledged is still on another one.
      { name: 'min.insync.replicas', value: String(Math.max(1, replication - 1)) },
    ],
  }
  // Whoever uses the topic waits for its leaders anyway; waiting here would fail on brokers that don't know it yet.
  await withAdmin(kafka, (admin) => admin.createTopics({ waitForLeaders: false, topics: [settings] }))
}
