import {
  BusinessesServiceClientImpl,
  BusinessesServiceService,
} from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { ClientsServiceClientImpl, ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { ContractsServiceClientImpl, ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { createGrpcRpc } from '../../shared/rpc/grpc-client.ts'
import { type GrpcService, grpcService, startGrpcServer } from '../../shared/rpc/grpc-server.ts'
import { type CallObservers, observedService } from '../../shared/rpc/observed-calls.ts'
import { LOOPBACK } from './ports.ts'
import type { Services } from './services.ts'

export interface GrpcServers {
  readonly contractsAddress: string
  readonly businessesAddress: string
  /** Takes no more calls and finishes those under way, within the given time. */
  stop(graceMilliseconds: number): Promise<void>
}

export interface GrpcServersOptions {
  /** 0: a free one. */
  readonly contractsPort: number
  /** 0: a free one. */
  readonly businessesPort: number
  readonly observers: CallObservers
}

/** The services' gRPC servers on loopback, each on a port of its own as when they run apart. */
export async function startGrpcServers(
  { contracts, clients, businesses }: Services,
  { contractsPort, businessesPort, observers }: GrpcServersOptions,
): Promise<GrpcServers> {
  const { logger } = observers
  const observed = (...served: GrpcService[]) => served.map((service) => observedService(service, observers))
  const contractsServer = await startGrpcServer({
    host: LOOPBACK,
    port: contractsPort,
    services: observed(grpcService(ContractsServiceService, contracts), grpcService(ClientsServiceService, clients)),
    logger,
  })
  const businessesServer = await startGrpcServer({
    host: LOOPBACK,
    port: businessesPort,
    services: observed(grpcService(BusinessesServiceService, businesses)),
    logger,
  }).catch(async (error) => {
    await contractsServer.stop(0)
    throw error
  })
  return {
    contractsAddress: `${LOOPBACK}:${contractsServer.port}`,
    businessesAddress: `${LOOPBACK}:${businessesServer.port}`,
    async stop(graceMilliseconds) {
      await Promise.all([contractsServer.stop(graceMilliseconds), businessesServer.stop(graceMilliseconds)])
    },
  }
}

/** The same services, called through their gRPC servers. */
export function servicesOverGrpc(servers: GrpcServers): Services & { close(): void } {
  const toContracts = createGrpcRpc({ address: servers.contractsAddress })
  const toBusinesses = createGrpcRpc({ address: servers.businessesAddress })
  return {
    contracts: new ContractsServiceClientImpl(toContracts),
    clients: new ClientsServiceClientImpl(toContracts),
    businesses: new BusinessesServiceClientImpl(toBusinesses),
    close() {
      toContracts.close()
      toBusinesses.close()
    },
  }
}
