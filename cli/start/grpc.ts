import type { MemoryBudget } from '../../shared/budget/budget.ts'
import {
  BusinessesServiceClientImpl,
  BusinessesServiceService,
} from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { ClientsServiceClientImpl, ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { ClosingServiceClientImpl, ClosingServiceService } from '../../shared/gen/mint/contracts/v1/closing.ts'
import { ContractsServiceClientImpl, ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import {
  DeadLettersServiceClientImpl,
  DeadLettersServiceService,
} from '../../shared/gen/mint/contracts/v1/dead_letters.ts'
import { ReportsServiceClientImpl, ReportsServiceService } from '../../shared/gen/mint/contracts/v1/reports.ts'
import { StatusServiceClientImpl, StatusServiceService } from '../../shared/gen/mint/operations/v1/status.ts'
import type { GrpcAccess } from '../../shared/rpc/access/interceptor.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/client/grpc-client.ts'
import { type CallObservers, observedService } from '../../shared/rpc/observed-calls.ts'
import { type GrpcService, grpcService, startGrpcServer } from '../../shared/rpc/server/grpc-server.ts'
import { inUrl } from '../../shared/runtime/http/in-url.ts'
import type { WatchedCertificates } from '../../shared/runtime/tls/watch-certificates.ts'
import type { EmbeddedConfig } from './config.ts'
import type { Services } from './services.ts'

interface GrpcServersOptions extends Pick<EmbeddedConfig, 'grpcHost' | 'contractsPort' | 'businessesPort'> {
  readonly tls?: WatchedCertificates | undefined
  readonly access: GrpcAccess
  readonly budget: MemoryBudget
  readonly observers: CallObservers
}

/** Starts the services' gRPC servers, each on its own port, as in separate processes. */
export async function startGrpcServers(
  services: Services,
  { grpcHost: host, contractsPort, businessesPort, tls, access, budget, observers }: GrpcServersOptions,
) {
  const serve = (port: number, ...served: GrpcService[]) => {
    const observed = served.map((service) => observedService(service, observers))
    return startGrpcServer({ host, port, services: observed, access, budget, tls, logger: observers.logger })
  }
  const contractsServer = await serve(
    contractsPort,
    grpcService(ContractsServiceService, services.contracts),
    grpcService(ClientsServiceService, services.clients),
    grpcService(ClosingServiceService, services.closing),
    grpcService(ReportsServiceService, services.reports),
    grpcService(DeadLettersServiceService, services.deadLetters),
    grpcService(StatusServiceService, services.contractsStatus),
  )
  await using failed = new AsyncDisposableStack()
  failed.defer(() => contractsServer.stop(0))
  const businessesServer = await serve(
    businessesPort,
    grpcService(BusinessesServiceService, services.businesses),
    grpcService(StatusServiceService, services.businessesStatus),
  )
  failed.move()
  return {
    contractsAddress: `${inUrl(host)}:${contractsServer.port}`,
    businessesAddress: `${inUrl(host)}:${businessesServer.port}`,
    /** Accepts no more calls, and finishes those in progress within the given time. */
    async stop(graceMilliseconds: number): Promise<void> {
      await Promise.all([contractsServer.stop(graceMilliseconds), businessesServer.stop(graceMilliseconds)])
    },
  }
}

/** The same services, called through their gRPC servers. */
export function servicesOverGrpc(
  servers: Readonly<Record<'contractsAddress' | 'businessesAddress', string>>,
  options: Pick<GrpcRpcOptions, 'secrets' | 'tls' | 'logger'>,
) {
  const toContracts = createGrpcRpc({ ...options, address: servers.contractsAddress })
  const toBusinesses = createGrpcRpc({ ...options, address: servers.businessesAddress })
  return {
    contracts: new ContractsServiceClientImpl(toContracts),
    clients: new ClientsServiceClientImpl(toContracts),
    closing: new ClosingServiceClientImpl(toContracts),
    reports: new ReportsServiceClientImpl(toContracts),
    deadLetters: new DeadLettersServiceClientImpl(toContracts),
    businesses: new BusinessesServiceClientImpl(toBusinesses),
    contractsStatus: new StatusServiceClientImpl(toContracts),
    businessesStatus: new StatusServiceClientImpl(toBusinesses),
    close(): void {
      toContracts.close()
      toBusinesses.close()
    },
  }
}
