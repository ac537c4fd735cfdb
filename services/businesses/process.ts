import { createKafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { watchTopicSettings } from '../../shared/adapters/kafka/watched-settings.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { startRelay } from '../../shared/event-sourcing/relay.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import { createEventsService } from '../../shared/events/events-service.ts'
import { measuredPublisher, relayMetrics } from '../../shared/runtime/metrics/topic-metrics.ts'
import { openService } from '../../shared/runtime/process/open-service.ts'
import { whileReady } from '../../shared/runtime/process/readiness.ts'
import type { ProcessDefinition } from '../../shared/runtime/process/run-process.ts'
import { type BusinessesConfig, readBusinessesConfig } from './config.ts'
import { published, publishedBusinesses } from './published.ts'
import { businessesViews, createBusinessesApp } from './service.ts'

export const definition: ProcessDefinition<BusinessesConfig> = {
  name: 'businesses',
  portSetting: 'BUSINESSES_PORT',
  readConfig: readBusinessesConfig,

  async start(config, surroundings) {
    const { logger, metrics, atEnd } = surroundings
    const { database, health, appends, kafka, nameOf, serve } = await openService(
      config,
      'businesses',
      businessesViews,
      surroundings,
    )
    relayMetrics(metrics, publishedBusinesses.name, database)
    const topic = createKafkaTopic(kafka)
    // Businesses are served while Kafka is down; the relay resumes when it is back.
    health.set('kafka', whileReady({ name: 'Kafka', check: topic.check }))
    topic.connect()
    const envelopeOf = createEnveloper({ database, published, nameOf })
    const relay = startRelay({
      database,
      publisher: measuredPublisher(metrics, publishedBusinesses.name, topic.publisher),
      publication: publishedBusinesses,
      envelopeOf,
      holder: newUuid(),
      isPreferred: appends,
      pollMilliseconds: 250,
      logger,
    })
    atEnd(async () => void (await Promise.all([relay.stop(), topic.close()])))
    const settings = watchTopicSettings({ topic: kafka.topic, findProblems: topic.findProblems, logger, metrics })
    atEnd(() => void settings.stop())
    const own = { clock: Date.now, newId: newUuid, topicProblems: settings.problems, logger }
    const events = createEventsService({ events: database.events, published, envelopeOf, logger })
    return serve({ ...createBusinessesApp({ database, ...own }), events })
  },
}
