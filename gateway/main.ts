import { acceptedKeys } from '../shared/api-keys/serving/accepted-keys.ts'
import { configuredKeyIfAny } from '../shared/api-keys/serving/configured-key.ts'
import { openKeysOnMongo } from '../shared/api-keys/serving/on-mongo.ts'
import { type BusinessesService, BusinessesServiceService } from '../shared/gen/mint/businesses/v1/businesses.ts'
import { type ClientsService, ClientsServiceService } from '../shared/gen/mint/contracts/v1/clients.ts'
import { type ContractsService, ContractsServiceService } from '../shared/gen/mint/contracts/v1/contracts.ts'
import { newRequestId } from '../shared/ids.ts'
import { grpcClientMetrics } from '../shared/metrics/grpc-metrics.ts'
import { httpMetrics } from '../shared/metrics/http-metrics.ts'
import { REQUEST_GRACE_MILLISECONDS } from '../shared/process/lifecycle.ts'
import { createReadiness, sayWhatIsMissing } from '../shared/process/readiness.ts'
import { type Part, runPart } from '../shared/process/run-part.ts'
import { checkServing } from '../shared/rpc/check-serving.ts'
import { createGrpcRpc } from '../shared/rpc/grpc-client.ts'
import { observedRpc } from '../shared/rpc/observed-calls.ts'
import { clientRememberingLists } from '../shared/rpc/remembering-client.ts'
import { createGateway } from './app.ts'
import { type RemoteGatewayConfig, readRemoteGatewayConfig } from './remote-config.ts'

const gateway: Part<RemoteGatewayConfig> = {
  name: 'gateway',
  portSetting: 'PORT',
  // It is ready when its services are, and then says so.
  whenStarted: 'listening',
  readConfig: readRemoteGatewayConfig,

  async start(config, { logger, metrics, atEnd }) {
    const {
      host,
      port,
      apiKey,
      serviceSecrets: secrets,
      contractsAddress,
      businessesAddress,
      drainMilliseconds,
    } = config
    const observers = { onCall: grpcClientMetrics(metrics), logger }
    const toContracts = observedRpc(createGrpcRpc({ address: contractsAddress, secrets }), observers)
    const toBusinesses = observedRpc(createGrpcRpc({ address: businessesAddress, secrets }), observers)
    atEnd(() => toContracts.close())
    atEnd(() => toBusinesses.close())
    const keys = openKeysOnMongo(config, { logger, metrics })
    atEnd(() => keys.stop())
    const readiness = createReadiness([
      { name: 'contracts', check: () => checkServing(toContracts, logger) },
      { name: 'businesses', check: () => checkServing(toBusinesses, logger) },
      { name: 'keys', check: keys.check },
    ])
    const rest = createGateway({
      ...config,
      contracts: clientRememberingLists<ContractsService>(ContractsServiceService, toContracts),
      clients: clientRememberingLists<ClientsService>(ClientsServiceService, toContracts),
      businesses: clientRememberingLists<BusinessesService>(BusinessesServiceService, toBusinesses),
      apiKeys: acceptedKeys(configuredKeyIfAny(apiKey), keys.stored),
      keyAdministration: keys.administration,
      clock: Date.now,
      newId: newRequestId,
      logger,
      readiness,
      onAnswered: httpMetrics(metrics),
    })
    const listening = await rest.listen(host, port)
    atEnd(() => rest.stop({ drainMilliseconds, graceMilliseconds: REQUEST_GRACE_MILLISECONDS }))
    const stopping = new AbortController()
    atEnd(() => stopping.abort())
    void sayWhatIsMissing(readiness, { logger, stopping: stopping.signal })
    return { address: `${host}:${listening}` }
  },
}

await runPart(gateway, process.env)
