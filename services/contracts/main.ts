import { createKafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { type PreferredAppender, preferOneAppender } from '../../shared/event-sourcing/preferred-appender.ts'
import { BusinessesServiceClientImpl } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { newUuid } from '../../shared/ids.ts'
import type { Logger } from '../../shared/logger.ts'
import { openMeasured } from '../../shared/metrics/database-metrics.ts'
import { grpcClientMetrics, grpcServerMetrics } from '../../shared/metrics/grpc-metrics.ts'
import { consumerLagMetrics, deadLetterMetrics, measuredHandler } from '../../shared/metrics/topic-metrics.ts'
import { buildingProgress } from '../../shared/process/building-progress.ts'
import { REQUEST_GRACE_MILLISECONDS } from '../../shared/process/lifecycle.ts'
import { whileReady } from '../../shared/process/readiness.ts'
import { type Part, runPart } from '../../shared/process/run-part.ts'
import { untilReachable } from '../../shared/process/until-reachable.ts'
import { createGrpcRpc } from '../../shared/rpc/grpc-client.ts'
import { startGrpcServer } from '../../shared/rpc/grpc-server.ts'
import { createHealthReport } from '../../shared/rpc/health.ts'
import { observedRpc, observedService } from '../../shared/rpc/observed-calls.ts'
import { waitingService } from '../../shared/rpc/waiting-service.ts'
import { businessesTopic } from '../../shared/topic-names.ts'
import { type ContractsConfig, readContractsConfig } from './config.ts'
import { contractsViews, createContractsApp } from './service.ts'

const contracts: Part<ContractsConfig> = {
  name: 'contracts',
  portSetting: 'CONTRACTS_PORT',
  readConfig: readContractsConfig,

  async start(config, { logger, metrics, atEnd }) {
    const { host, port, mongoUrl: url, namespace, viewsFolder, requireKnownClient } = config
    const contracts = waitingService(ContractsServiceService, 'MongoDB')
    const clients = waitingService(ClientsServiceService, 'MongoDB')
    const observers = { onCall: grpcServerMetrics(metrics), logger }
    const services = [contracts, clients].map(({ service }) => observedService(service, observers))
    const health = createHealthReport({ serving: false })
    let appender: PreferredAppender | undefined
    const appends = (): boolean => appender?.isThisProcess() ?? false
    const server = await startGrpcServer({ host, port, services, health, appends, logger })
    const database = await openMeasured(metrics, {
      service: 'contracts',
      views: contractsViews,
      open: (onBatch) =>
        untilReachable(
          () =>
            openMongoDatabase({
              url,
              name: `${namespace}_contracts`,
              views: contractsViews,
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
    const topic = openTopic(config, logger)
    atEnd(() => topic.close())
    const toBusinesses = observedRpc(createGrpcRpc({ address: config.businessesAddress }), {
      onCall: grpcClientMetrics(metrics),
      logger,
    })
    atEnd(() => toBusinesses.close())

    const app = createContractsApp({
      database,
      businesses: new BusinessesServiceClientImpl(toBusinesses),
      clock: Date.now,
      requireKnownClient,
      topic: businessesTopic(namespace),
      logger,
    })
    contracts.answerWith(app.contracts)
    clients.answerWith(app.clients)
    health.set('', whileReady({ name: 'MongoDB', check: () => database.checkWritable() }))
    // The first to be ended: calls under way need the rest.
    atEnd(() => server.stop(REQUEST_GRACE_MILLISECONDS))
    // Contracts are served while Kafka is away; Clients follow when it is back.
    health.set('kafka', whileReady({ name: 'Kafka', check: topic.check }))
    consumerLagMetrics(metrics, businessesTopic(namespace), topic.consumerLag)
    deadLetterMetrics(metrics, businessesTopic(namespace), () => database.deadLetters.count())
    void topic.consumer.run(measuredHandler(metrics, businessesTopic(namespace), app.handleBusinessEvents))
    return { address: `${host}:${server.port}` }
  },
}

function openTopic({ kafka, namespace }: ContractsConfig, logger: Logger) {
  return createKafkaTopic({ ...kafka, topic: businessesTopic(namespace), groupId: `${namespace}.contracts`, logger })
}

await runPart(contracts, process.env)
