import kafkajs, { type Admin, type Kafka } from 'kafkajs'
import { hasType } from './problem.ts'
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

/** What keeps every message for ever, by setting. */
const NEEDED = { 'retention.ms': '-1', 'retention.bytes': '-1', 'cleanup.policy': 'delete' } as const
const MIN_INSYNC = 'min.insync.replicas'

/** The settings by which a topic, whoever made it, can lose messages: one text for each. */
export async function findTopicProblems(admin: Admin, topic: string): Promise<readonly string[]> {
  const type = kafkajs.ConfigResourceTypes.TOPIC
  const asked = { type, name: topic, configNames: [...Object.keys(NEEDED), MIN_INSYNC] }
  try {
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [asked] })
    const found = new Map(resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]))
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const replicas = Math.min(...(topics[0]?.partitions ?? []).map((partition) => partition.replicas.length))
    const confirmed = Number(found.get(MIN_INSYNC))
    return [
      ...Object.entries(NEEDED)
        .filter(([name, needed]) => found.get(name) !== needed)
        .map(([name, needed]) => `${name} is ${found.get(name)}, needed: ${needed}`),
      // What only one of several brokers has confirmed is lost with that one.
      ...(replicas > 1 && confirmed < 2 ? [`${MIN_INSYNC} is ${confirmed}, needed: 2 of ${replicas} replicas`] : []),
    ]
  } catch (error) {
    if (!hasType(error, 'TOPIC_AUTHORIZATION_FAILED')) throw error
    return ['its settings can’t be read, needed: the right to DescribeConfigs']
  }
}
