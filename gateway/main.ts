import { BusinessesServiceClientImpl } from '../shared/gen/mint/businesses/v1/businesses.ts'
import { ClientsServiceClientImpl } from '../shared/gen/mint/contracts/v1/clients.ts'
import { ContractsServiceClientImpl } from '../shared/gen/mint/contracts/v1/contracts.ts'
import { closeGracefully, listen } from '../shared/http-server.ts'
import { newRequestId } from '../shared/ids.ts'
import { REQUEST_GRACE_MILLISECONDS } from '../shared/lifecycle.ts'
import { createGrpcRpc } from '../shared/rpc/grpc-client.ts'
import { type Part, runPart } from '../shared/run-process.ts'
import { createGateway } from './app.ts'
import { configuredKey, staticApiKeys } from './auth/static-api-keys.ts'
import { type RemoteGatewayConfig, readRemoteGatewayConfig } from './remote-config.ts'

const gateway: Part<RemoteGatewayConfig> = {
  name: 'gateway',
  readConfig: readRemoteGatewayConfig,

  async start({ host, port, apiKey, rateLimitPerSecond, contractsAddress, businessesAddress }, logger, atEnd) {
    const toContracts = createGrpcRpc({ address: contractsAddress })
    const toBusinesses = createGrpcRpc({ address: businessesAddress })
    atEnd(() => toContracts.close())
    atEnd(() => toBusinesses.close())
    const server = createGateway({
      contracts: new ContractsServiceClientImpl(toContracts),
      clients: new ClientsServiceClientImpl(toContracts),
      businesses: new BusinessesServiceClientImpl(toBusinesses),
      apiKeys: staticApiKeys([configuredKey(apiKey)]),
      rateLimitPerSecond,
      clock: Date.now,
      newId: newRequestId,
      logger,
    })
    const listening = await listen(server, host, port)
    atEnd(() => closeGracefully(server, REQUEST_GRACE_MILLISECONDS))
    return { address: `${host}:${listening}` }
  },
}

await runPart(gateway, process.env)
