import { followKafkaSecurity } from '../../shared/adapters/kafka/security.ts'
import { createKafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { watchTopicSettings } from '../../shared/adapters/kafka/watched-settings.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { startRelay } from '../../shared/event-sourcing/relay.ts'
import { SERVICES } from '../../shared/kinds/services.ts'
import { waitingServices } from '../../shared/rpc/server/waiting-service.ts'
import { measuredPublisher, relayMetrics } from '../../shared/runtime/metrics/topic-metrics.ts'
import { openService } from '../../shared/runtime/process/open-service.ts'
import { whileReady } from '../../shared/runtime/process/readiness.ts'
import type { ProcessDefinition } from '../../shared/runtime/process/run-process.ts'
import { businessesTopic } from '../../shared/runtime/settings/topic-names.ts'
import { type BusinessesConfig, readBusinessesConfig } from './config.ts'
import { publishedBusinesses } from './published-events.ts'
import { businessesViews, createBusinessesApp } from './service.ts'

export const definition: ProcessDefinition<BusinessesConfig> = {
  name: 'businesses',
  portSetting: 'BUSINESSES_PORT',
  readConfig: readBusinessesConfig,

  async start(config, surroundings) {
    const { logger, metrics, atEnd } = surroundings
    const kafkaSecurity = await followKafkaSecurity(config.kafka.security, surroundings)
    atEnd(() => kafkaSecurity.stop())
    const waiting = waitingServices(SERVICES.businesses, 'MongoDB')
    const parts = { name: 'businesses', views: businessesViews, services: waiting.services }
    const { database, health, appends, serve } = await openService(config, parts, surroundings)
    relayMetrics(metrics, publishedBusinesses.name, database)
    const topicName = businessesTopic(config.namespace)
    const kafka = { ...config.kafka, security: kafkaSecurity.current }
    const topic = createKafkaTopic({ ...kafka, topic: topicName, logger })
    // Businesses are served while Kafka is down; the relay resumes when it is back.
    health.set('kafka', whileReady({ name: 'Kafka', check: topic.check }))
    topic.connect()
    const relay = startRelay({
      database,
      publisher: measuredPublisher(metrics, publishedBusinesses.name, topic.publisher),
      publication: publishedBusinesses,
      holder: newUuid(),
      isPreferred: appends,
      pollMilliseconds: 250,
      logger,
    })
    atEnd(async () => void (await Promise.all([relay.stop(), topic.close()])))
    const settings = watchTopicSettings({ topic: topicName, findProblems: topic.findProblems, logger, metrics })
    atEnd(() => void settings.stop())
    const own = { clock: Date.now, newId: newUuid, topicProblems: settings.problems, logger }
    const app = createBusinessesApp({ database, ...own })
    waiting.answerWith(app)
    return serve()
  },
}
