import { followKafkaSecurity } from '../../shared/adapters/kafka/security.ts'
import { createKafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { BusinessesServiceClientImpl } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { RelayServiceClientImpl } from '../../shared/gen/mint/operations/v1/relay.ts'
import { SERVICES } from '../../shared/kinds/services.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { waitingServices } from '../../shared/rpc/server/waiting-service.ts'
import { grpcClientMetrics } from '../../shared/runtime/metrics/grpc-metrics.ts'
import { consumerLagMetrics, deadLetterMetrics, measuredHandler } from '../../shared/runtime/metrics/topic-metrics.ts'
import { openService } from '../../shared/runtime/process/open-service.ts'
import { whileReady } from '../../shared/runtime/process/readiness.ts'
import type { ProcessDefinition } from '../../shared/runtime/process/run-process.ts'
import { businessesTopic } from '../../shared/runtime/settings/topic-names.ts'
import { type ContractsConfig, readContractsConfig } from './config.ts'
import { contractsViews, createContractsApp } from './service.ts'

export const definition: ProcessDefinition<ContractsConfig> = {
  name: 'contracts',
  portSetting: 'CONTRACTS_PORT',
  readConfig: readContractsConfig,

  async start(config, surroundings) {
    const { namespace, requireKnownClient, businessesAddress: address } = config
    const { logger, metrics, atEnd } = surroundings
    const kafkaSecurity = await followKafkaSecurity(config.kafka.security, surroundings)
    atEnd(() => kafkaSecurity.stop())
    const waiting = waitingServices(SERVICES.contracts, 'MongoDB')
    const parts = { name: 'contracts', views: contractsViews, services: waiting.services }
    const { database, health, tls, secrets, serve } = await openService(config, parts, surroundings)
    const topicName = businessesTopic(namespace)
    const kafka = { ...config.kafka, security: kafkaSecurity.current }
    const toBusinesses = createGrpcRpc({ address, secrets, tls, onCall: grpcClientMetrics(metrics), logger })
    atEnd(() => toBusinesses.close())
    const relay = new RelayServiceClientImpl(toBusinesses)
    const publishAgain = () => relay.publishAgain({})
    const group = { topic: topicName, groupId: `${namespace}.contracts`, publishAgain }
    const topic = createKafkaTopic({ ...kafka, ...group, logger })
    atEnd(() => topic.close())

    const app = createContractsApp({
      database,
      businesses: new BusinessesServiceClientImpl(toBusinesses),
      clock: Date.now,
      requireKnownClient,
      topic: topicName,
      unhandledMessages: topic.consumerLag,
      logger,
    })
    waiting.answerWith(app)
    const serving = serve()
    // Contracts are served while Kafka is down; Clients catch up when it is back.
    health.set('kafka', whileReady({ name: 'Kafka', check: topic.check }))
    consumerLagMetrics(metrics, topicName, topic.consumerLag)
    deadLetterMetrics(metrics, topicName, () => database.deadLetters.count())
    void topic.consumer.run(measuredHandler(metrics, topicName, app.handleBusinessEvents))
    return serving
  },
}
