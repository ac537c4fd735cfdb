import { createKafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { BusinessesServiceClientImpl } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { RelayServiceClientImpl } from '../../shared/gen/mint/operations/v1/relay.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { grpcClientMetrics } from '../../shared/runtime/metrics/grpc-metrics.ts'
import { consumerLagMetrics, deadLetterMetrics, measuredHandler } from '../../shared/runtime/metrics/topic-metrics.ts'
import { openService } from '../../shared/runtime/process/open-service.ts'
import { whileReady } from '../../shared/runtime/process/readiness.ts'
import type { ProcessDefinition } from '../../shared/runtime/process/run-process.ts'
import { startPublishing } from '../../shared/runtime/process/start-publishing.ts'
import { BUSINESSES_TOPIC, topicIn } from '../../shared/runtime/settings/topic-names.ts'
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
    const { database, health, appends, tls, secrets, kafka, nameOf, serve } = await openService(
      config,
      'contracts',
      contractsViews,
      surroundings,
    )
    const toBusinesses = createGrpcRpc({ address, secrets, tls, onCall: grpcClientMetrics(metrics), logger })
    atEnd(() => toBusinesses.close())
    const relay = new RelayServiceClientImpl(toBusinesses)
    const publishAgain = () => relay.publishAgain({})
    const name = topicIn(namespace, BUSINESSES_TOPIC)
    const topic = createKafkaTopic({ ...kafka, topic: name, groupId: `${namespace}.contracts`, publishAgain })
    atEnd(() => topic.close())
    const options = { database, published, nameOf, namespace, kafka, isPreferred: appends }
    const publishing = startPublishing(options, surroundings)

    const app = createContractsApp({
      database,
      businesses: new BusinessesServiceClientImpl(toBusinesses),
      businessesRelay: relay,
      clock: Date.now,
      requireKnownClient,
      topic: name,
      unhandledMessages: topic.consumerLag,
      topicProblems: publishing.topicProblems,
      logger,
    })
    const serving = serve({ ...app, events: publishing.events })
    // Contracts are served while Kafka is down; Clients catch up, and the relay resumes, when it is back.
    const check = async () => void (await Promise.all([topic.check(), publishing.check()]))
    health.set('kafka', whileReady({ name: 'Kafka', check }))
    consumerLagMetrics(metrics, name, topic.consumerLag)
    deadLetterMetrics(metrics, name, () => database.deadLetters.count())
    const watchingKeys = app.watchKeys()
    atEnd(async () => void watchingKeys.stop())
    void topic.consumer.run(measuredHandler(metrics, name, app.handleBusinessEvents))
    return serving
  },
}
