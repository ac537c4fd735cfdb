import { createKafkaTopic, type KafkaTopicOptions } from '../../adapters/kafka/topic.ts'
import { watchTopicSettings } from '../../adapters/kafka/topic-settings.ts'
import { newUuid } from '../../calls/ids.ts'
import type { Database } from '../../event-sourcing/ports/database.ts'
import { startRelay } from '../../event-sourcing/relay.ts'
import { createEnveloper, type EnveloperOptions } from '../../events/enveloper.ts'
import { createEventsService } from '../../events/events-service.ts'
import { topicsOf } from '../../events/topics.ts'
import { measuredPublisher, relayMetrics } from '../metrics/topic-metrics.ts'
import { relayOf, topicIn } from '../settings/topic-names.ts'
import type { ProcessSurroundings } from './run-process.ts'

export interface PublishingOptions extends EnveloperOptions {
  readonly database: Database
  readonly namespace: string
  readonly kafka: Omit<KafkaTopicOptions, 'topic'>
  /** Whether this process should publish. */
  readonly isPreferred: () => boolean
}

/** Publishes a service's log on its topics, and watches their settings, until the process ends. */
export function startPublishing(
  { database, published, nameOf, namespace, kafka, isPreferred }: PublishingOptions,
  { logger, metrics, atEnd }: ProcessSurroundings,
) {
  const envelopesOf = createEnveloper({ database, published, nameOf })
  const relay = relayOf(published.part)
  relayMetrics(metrics, relay, database)
  const topics = [...topicsOf(published).keys()].map((name) => {
    const topic = topicIn(namespace, name)
    const { publisher, connect, close, check, findProblems } = createKafkaTopic({ ...kafka, topic })
    connect()
    return { name, topic, check, close, findProblems, publisher: measuredPublisher(metrics, relay, publisher) }
  })
  const publishing = startRelay({
    database,
    published,
    envelopesOf,
    publishers: new Map(topics.map(({ name, publisher }) => [name, publisher])),
    holder: newUuid(),
    isPreferred,
    pollMilliseconds: 250,
    logger,
  })
  atEnd(async () => void (await Promise.all([publishing.stop(), ...topics.map(({ close }) => close())])))
  const watched = topics.map(({ topic, findProblems }) => {
    const { problems, stop } = watchTopicSettings({ topic, findProblems, logger, metrics })
    atEnd(async () => void stop())
    return { topic, problems }
  })
  return {
    /** The same events, for followers. */
    events: createEventsService({ events: database.events, published, envelopesOf, logger }),
    /** Resolves when Kafka answers and has the topics. */
    check: async () => void (await Promise.all(topics.map(({ check }) => check()))),
    /** The settings that let the topics lose messages, as far as known. */
    topicProblems: (): readonly string[] =>
      watched.flatMap(({ topic, problems }) => {
        return topics.length === 1 ? problems() : problems().map((problem) => `${topic}: ${problem}`)
      }),
  }
}
