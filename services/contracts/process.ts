import { createKafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import { createEventsService } from '../../shared/events/events-service.ts'
import { BusinessesServiceClientImpl } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { RelayServiceClientImpl } from '../../shared/gen/mint/operations/v1/relay.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { grpcClientMetrics } from '../../shared/runtime/metrics/grpc-metrics.ts'
import { consumerLagMetrics, deadLetterMetrics, measuredHandler } from '../../shared/runtime/metrics/topic-metrics.ts'
import { openService } from '../../shared/runtime/process/open-service.ts'
import { whileReady } from '../../shared/runtime/process/readiness.ts'
import type { ProcessDefinition } from '../../shared/runtime/process/run-process.ts'
import { type ContractsConfig, readContractsConfig } from './config.ts'
import { published } from './published.ts'
import { contractsViews, createContractsApp } from './service.ts'

export const definition: ProcessDefinition<ContractsConfig> = {
  name: 'contracts',
  portSetting: 'CONTRACTS_PORT',
  readConfig: readContractsConfig,

  async start(config, surroundings) {
    const { namespace, requireKnownClient, businessesAddress: address } = config
    const { logger, metrics, atEnd } = surroundings
    const { database, health, tls, secrets, kafka, nameOf, serve } = await openService(
      config,
      'contracts',
      contractsViews,
      surroundings,
    )
    const toBusinesses = createGrpcRpc({ address, secrets, tls, onCall: grpcClientMetrics(metrics), logger })
    atEnd(() => toBusinesses.close())
    const relay = new RelayServiceClientImpl(toBusinesses)
    const publishAgain = () => relay.publishAgain({})
    const topic = createKafkaTopic({ ...kafka, groupId: `${namespace}.contracts`, publishAgain })
    atEnd(() => topic.close())

    const app = createContractsApp({
      database,
      businesses: new BusinessesServiceClientImpl(toBusinesses),
      clock: Date.now,
      requireKnownClient,
      topic: kafka.topic,
      unhandledMessages: topic.consumerLag,
      logger,
    })
    const envelopeOf = createEnveloper({ database, published, nameOf })
    const events = createEventsService({ events: database.events, published, envelopeOf, logger })
    const serving = serve({ ...app, events })
    // Contracts are served while Kafka is down; Clients catch up when it is back.
    health.set('kafka', whileReady({ name: 'Kafka', check: topic.check }))
    consumerLagMetrics(metrics, kafka.topic, topic.consumerLag)
    deadLetterMetrics(metrics, kafka.topic, () => database.deadLetters.count())
    void topic.consumer.run(measuredHandler(metrics, kafka.topic, app.handleBusinessEvents))
    return serving
  },
}
