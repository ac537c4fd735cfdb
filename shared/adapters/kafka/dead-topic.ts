import kafkajs, { type Admin, type Kafka } from 'kafkajs'
import type { Logger } from '../../logger.ts'
import { ensureTopic, MAX_MESSAGE_BYTES_SETTING } from './topic-settings.ts'
import { withAdmin } from './with-admin.ts'

export interface DeadTopicSettings {
  readonly topic: string
  readonly deadTopic: string
  /** How many brokers hold each message. */
  readonly replication: number
  readonly logger: Logger
}

/** Kafka's own limit, which a topic has unless somebody sets another one. */
const USUAL_MAX_BYTES = 1_048_588
/** The largest that the setting takes. */
const LARGEST_MAX_BYTES = 2 ** 31 - 1
/** A byte that is no UTF-8 is set aside as U+FFFD, of three bytes. */
const GROWTH = 3
/** For the headers that a dead letter has besides. */
const HEADERS_BYTES = 64 * 1024

/**
 * Makes the topic of dead letters, of one partition, so that it takes whatever the topic itself takes with the headers of
 * a dead letter added. One that is there already is brought to that; where the brokers refuse, the log says so.
 */
export async function ensureDeadTopic(kafka: Kafka, settings: DeadTopicSettings): Promise<void> {
  const { topic, deadTopic, replication, logger } = settings
  const largest = (await withAdmin(kafka, (admin) => maxBytesOf(admin, topic))) ?? USUAL_MAX_BYTES
  const maxMessageBytes = Math.min(GROWTH * largest + HEADERS_BYTES, LARGEST_MAX_BYTES)
  await ensureTopic(kafka, { topic: deadTopic, partitions: 1, replication, maxMessageBytes })
  try {
    await withAdmin(kafka, (admin) => raise(admin, deadTopic, maxMessageBytes))
  } catch (error) {
    logger.warn(
      { err: error, topic: deadTopic, [MAX_MESSAGE_BYTES_SETTING]: maxMessageBytes },
      'the topic of dead letters could not be set to take larger messages: those that it refuses are cut',
    )
  }
}

/** undefined where it can't be learnt: the topic is not there, or this user may not ask. */
async function maxBytesOf(admin: Admin, topic: string): Promise<number | undefined> {
  const entries = await settingsOf(admin, topic).catch(() => [])
  const found = entries.find(({ configName }) => configName === MAX_MESSAGE_BYTES_SETTING)
  return found && Number(found.configValue)
}

async function raise(admin: Admin, topic: string, maxMessageBytes: number): Promise<void> {
  const entries = await settingsOf(admin, topic)
  const now = entries.find(({ configName }) => configName === MAX_MESSAGE_BYTES_SETTING)
  if (now && Number(now.configValue) >= maxMessageBytes) return
  // What is left out falls back to the brokers' defaults.
  const others = entries.filter((entry) => isOwn(entry) && entry !== now)
  const configEntries = [
    ...others.map(({ configName, configValue }) => ({ name: configName, value: configValue })),
    { name: MAX_MESSAGE_BYTES_SETTING, value: String(maxMessageBytes) },
  ]
  await admin.alterConfigs({ validateOnly: false, resources: [{ type: TOPIC, name: topic, configEntries }] })
}

async function settingsOf(admin: Admin, topic: string) {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: TOPIC, name: topic }],
  })
  return resources[0]?.configEntries ?? []
}

const TOPIC = kafkajs.ConfigResourceTypes.TOPIC

/** Whether it was set for this topic: the rest are the brokers' defaults. */
const isOwn = ({ configSource }: { readonly configSource: number }): boolean =>
  configSource === kafkajs.ConfigSource.TOPIC_CONFIG
