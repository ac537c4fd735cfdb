import kafkajs, { type Admin, type Kafka } from 'kafkajs'
import { repeat } from '../../async/repeat.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import type { Metrics } from '../../runtime/metrics/metrics.ts'
import { withAdmin } from './client.ts'
import { hasType } from './problem.ts'

/** How a topic is created. */
export interface TopicSettings {
  readonly topic: string
  /** Over how many partitions keys are distributed. */
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
      // Brokers refuse a message whose own time is more than an hour ahead of theirs.
      { name: 'message.timestamp.type', value: 'LogAppendTime' },
      // One of several brokers may be down, while what is acknowledged is still on another one.
      { name: 'min.insync.replicas', value: String(Math.max(1, replication - 1)) },
    ],
  }
  // Users of the topic wait for its leaders anyway; waiting here would fail on brokers that don't know it yet.
  await withAdmin(kafka, (admin) => admin.createTopics({ waitForLeaders: false, topics: [settings] }))
}

/** The settings that keep every message for ever. */
const REQUIRED = { 'retention.ms': '-1', 'retention.bytes': '-1', 'cleanup.policy': 'delete' } as const
const MIN_INSYNC = 'min.insync.replicas'

/** Finds the settings that let a topic, whoever created it, lose messages: one text for each. */
export async function findTopicProblems(admin: Admin, topic: string): Promise<readonly string[]> {
  const type = kafkajs.ConfigResourceTypes.TOPIC
  const resource = { type, name: topic, configNames: [...Object.keys(REQUIRED), MIN_INSYNC] }
  try {
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] })
    const found = new Map(resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]))
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const replicas = Math.min(...(topics[0]?.partitions ?? []).map((partition) => partition.replicas.length))
    const confirmed = Number(found.get(MIN_INSYNC))
    return [
      ...Object.entries(REQUIRED)
        .filter(([name, needed]) => found.get(name) !== needed)
        .map(([name, needed]) => `${name} is ${found.get(name)}, needed: ${needed}`),
      // A message that only one of several brokers has confirmed is lost with that broker.
      ...(replicas > 1 && confirmed < 2 ? [`${MIN_INSYNC} is ${confirmed}, needed: 2 of ${replicas} replicas`] : []),
    ]
  } catch (error) {
    if (!hasType(error, 'TOPIC_AUTHORIZATION_FAILED')) throw error
    return ['its settings can’t be read, needed: the right to DescribeConfigs']
  }
}

export interface TopicWatchOptions {
  readonly topic: string
  /** See findTopicProblems. */
  readonly findProblems: () => Promise<readonly string[]>
  readonly logger: Logger
  readonly metrics: Metrics
  /** Interval between two checks, in milliseconds. */
  readonly checkMilliseconds?: number
}

/** Interval between two attempts while Kafka doesn't answer, in milliseconds. */
const RETRY_INTERVAL = 5_000

/** Checks a topic's settings at the start and then every few minutes: it may have been created elsewhere, or change. */
export function watchTopicSettings(options: TopicWatchOptions) {
  const { topic, findProblems, logger, metrics, checkMilliseconds = 3 * 60_000 } = options
  let known: readonly string[] | undefined
  let dueAt = 0

  async function check(): Promise<void> {
    if (performance.now() < dueAt) return
    const before = known?.join() ?? ''
    known = await findProblems()
    dueAt = performance.now() + checkMilliseconds
    if (known.join() === before) return
    if (known.length === 0) logger.info({ topic }, 'the settings of the topic are correct now')
    else
      logger.warn(
        { topic, problems: known },
        'the topic can lose messages: see “A topic made elsewhere” in docs/operations.md',
      )
  }

  const help = 'Settings that let the topic lose messages.'
  metrics.gauge({ name: 'mint_topic_problems', help, labels: { topic } }, async () => {
    if (known === undefined) throw new Error('Kafka has not answered yet')
    return known.length
  })
  const checking = repeat(check, RETRY_INTERVAL)
  return {
    /** The problems found last; none before Kafka has answered. */
    problems: () => known ?? [],
    stop: checking.stop,
  }
}
