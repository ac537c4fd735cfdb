import type { Kafka } from 'kafkajs'
import { withAdmin } from './with-admin.ts'

export interface TopicSettings {
  readonly topic: string
  readonly partitions: number
  /** How many brokers hold each message. */
  readonly replication: number
}

/**
 * Makes the topic where it is missing, keeping its messages for ever. One that exists is left as it is: more partitions
 * would send later messages of a key elsewhere, out of order.
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
      // The brokers unpack what others compress: the driver reads no compression but gzip, and stops at the rest.
      { name: 'compression.type', value: 'uncompressed' },
      // One broker of several may be away, and what is acknowledged is still on another one.
      { name: 'min.insync.replicas', value: String(Math.max(1, replication - 1)) },
    ],
  }
  // Whoever uses the topic waits for its leaders anyway, and here a broker that has not heard of it is an error.
  await withAdmin(kafka, (admin) => admin.createTopics({ waitForLeaders: false, topics: [settings] }))
}
