import { followMongoUrl } from '../shared/adapters/mongo/connection/followed-url.ts'
import { followConfiguredKey } from '../shared/api-keys/serving/accepted-keys.ts'
import { openKeysOnMongo } from '../shared/api-keys/serving/on-mongo.ts'
import { newUuid } from '../shared/calls/ids.ts'
import { createStatusService } from '../shared/operations/status-service.ts'
import { checkServing } from '../shared/rpc/client/check-serving.ts'
import { createGrpcRpc } from '../shared/rpc/client/grpc-client.ts'
import { remoteServices } from '../shared/rpc/client/remote-services.ts'
import { inUrl } from '../shared/runtime/http/in-url.ts'
import { grpcClientMetrics } from '../shared/runtime/metrics/grpc-metrics.ts'
import { httpMetrics } from '../shared/runtime/metrics/http-metrics.ts'
import { REQUEST_GRACE_MILLISECONDS } from '../shared/runtime/process/lifecycle.ts'
import { createReadiness, logWhatIsMissing } from '../shared/runtime/process/readiness.ts'
import type { ProcessDefinition } from '../shared/runtime/process/run-process.ts'
import { followServiceSecrets } from '../shared/runtime/settings/service-proof.ts'
import { watchCertificates } from '../shared/runtime/tls/watch-certificates.ts'
import { sealingWith } from '../shared/webhooks/secret.ts'
import { gatewayViews } from '../shared/webhooks/view.ts'
import { createGateway } from './app.ts'
import { type RemoteGatewayConfig, readRemoteGatewayConfig } from './remote-config.ts'
import { openSignIn } from './sign-in/sign-in.ts'
import { openWebhooks } from './webhooks/open.ts'

export const definition: ProcessDefinition<RemoteGatewayConfig> = {
  name: 'gateway',
  portSetting: 'PORT',
  // It is ready once its services are, and logs that separately.
  whenStarted: 'listening',
  readConfig: readRemoteGatewayConfig,

  async start(config, surroundings) {
    const { logger, metrics, budget, atEnd } = surroundings
    const { host, port, contractsAddress, businessesAddress, drainMilliseconds } = config
    const secrets = await followServiceSecrets(config.serviceProof, surroundings)
    const configured = await followConfiguredKey(config, surroundings)
    const tls = await watchCertificates(config.tlsFiles, surroundings)
    const grpcTls = await watchCertificates(config.grpcTlsFiles, surroundings)
    const onCall = grpcClientMetrics(metrics)
    const rpcTo = (address: string) => createGrpcRpc({ address, secrets, tls: grpcTls, onCall, logger })
    const toContracts = rpcTo(contractsAddress)
    const toBusinesses = rpcTo(businessesAddress)
    atEnd(() => toContracts.close())
    atEnd(() => toBusinesses.close())
    const mongoUrl = await followMongoUrl(config, surroundings)
    const keys = openKeysOnMongo({ ...config, mongoUrl, configured }, { logger, metrics })
    atEnd(() => keys.close())
    const readiness = createReadiness([
      { name: 'contracts', check: () => checkServing(toContracts, logger) },
      { name: 'businesses', check: () => checkServing(toBusinesses, logger) },
      { name: 'keys', check: keys.check },
    ])
    const webhooks = openWebhooks({
      feed: () => rest.feed,
      sealing: sealingWith(config.webhookKey),
      allowedNetworks: config.webhookNetworks,
      holder: newUuid(),
      logger,
      metrics,
    })
    const rest = createGateway({
      ...webhooks,
      ...config,
      tls,
      ...remoteServices(toContracts, toBusinesses),
      gatewayStatus: createStatusService({ database: keys.database, views: gatewayViews, clock: Date.now, logger }),
      apiKeys: keys.apiKeys,
      keyAdministration: keys.administration,
      signIn: await openSignIn(config.signInConfig, surroundings),
      budget,
      clock: Date.now,
      logger,
      readiness,
      onAnswered: httpMetrics(metrics),
    })
    const listening = await rest.listen(host, port)
    atEnd(() => rest.stop({ drainMilliseconds, graceMilliseconds: REQUEST_GRACE_MILLISECONDS }))
    void keys.opening.then(webhooks.start)
    atEnd(webhooks.stop)
    const stopping = new AbortController()
    atEnd(() => stopping.abort())
    void logWhatIsMissing(readiness, { logger, stopping: stopping.signal })
    return { address: `${inUrl(host)}:${listening}` }
  },
}
