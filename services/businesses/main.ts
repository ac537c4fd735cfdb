import { createKafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { type PreferredAppender, preferOneAppender } from '../../shared/event-sourcing/preferred-appender.ts'
import { startRelay } from '../../shared/event-sourcing/relay.ts'
import { BusinessesServiceService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { newUuid } from '../../shared/ids.ts'
import { openMeasured } from '../../shared/metrics/database-metrics.ts'
import { grpcServerMetrics } from '../../shared/metrics/grpc-metrics.ts'
import { measuredPublisher, relayMetrics } from '../../shared/metrics/topic-metrics.ts'
import { buildingProgress } from '../../shared/process/building-progress.ts'
import { REQUEST_GRACE_MILLISECONDS } from '../../shared/process/lifecycle.ts'
import { whileReady } from '../../shared/process/readiness.ts'
import { type Part, runPart } from '../../shared/process/run-part.ts'
import { untilReachable } from '../../shared/process/until-reachable.ts'
import { startGrpcServer } from '../../shared/rpc/grpc-server.ts'
import { createHealthReport } from '../../shared/rpc/health.ts'
import { observedService } from '../../shared/rpc/observed-calls.ts'
import { waitingService } from '../../shared/rpc/waiting-service.ts'
import { businessesTopic } from '../../shared/topic-names.ts'
import { type BusinessesConfig, readBusinessesConfig } from './config.ts'
import { publishedBusinesses } from './published-events.ts'
import { businessesViews, createBusinessesApp } from './service.ts'

const businesses: Part<BusinessesConfig> = {
  name: 'businesses',
  portSetting: 'BUSINESSES_PORT',
  readConfig: readBusinessesConfig,

  async start({ host, port, mongoUrl: url, kafka, namespace, viewsFolder }, { logger, metrics, atEnd }) {
    const businesses = waitingService(BusinessesServiceService, 'MongoDB')
    const services = [observedService(businesses.service, { onCall: grpcServerMetrics(metrics), logger })]
    const health = createHealthReport({ serving: false })
    let appender: PreferredAppender | undefined
    const appends = (): boolean => appender?.isThisProcess() ?? false
    const server = await startGrpcServer({ host, port, services, health, appends, logger })
    const database = await openMeasured(metrics, {
      service: 'businesses',
      views: businessesViews,
      open: (onBatch) =>
        untilReachable(
          () =>
            openMongoDatabase({
              url,
              name: `${namespace}_businesses`,
              views: businessesViews,
              viewsFolder,
              buildsViews: 'at-start',
              onBatch,
              onProgress: buildingProgress(logger),
            }),
          { what: 'MongoDB', logger },
        ),
    })
    atEnd(() => database.close())
    appender = preferOneAppender({ checkpoints: database.checkpoints, holder: newUuid() })
    atEnd(() => appender?.stop())
    relayMetrics(metrics, publishedBusinesses.name, database)

    const topic = createKafkaTopic({ ...kafka, topic: businessesTopic(namespace), logger })
    // Businesses are served while Kafka is away; the relay goes on when it is back.
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

    const app = createBusinessesApp({ database, clock: Date.now, newId: newUuid, logger })
    businesses.answerWith(app.businesses)
    health.set('', whileReady({ name: 'MongoDB', check: () => database.checkWritable() }))
    // The first to be ended: calls under way need the rest.
    atEnd(() => server.stop(REQUEST_GRACE_MILLISECONDS))
    return { address: `${host}:${server.port}` }
  },
}

await runPart(businesses, process.env)
