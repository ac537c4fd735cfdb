import type { MemoryBudget } from '../../shared/budget/budget.ts'
import { SERVICES } from '../../shared/kinds/services.ts'
import type { GrpcAccess } from '../../shared/rpc/access/admission.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/client/grpc-client.ts'
import { remoteServices } from '../../shared/rpc/client/remote-services.ts'
import { type GrpcServerOptions, type GrpcService, startGrpcServer } from '../../shared/rpc/server/grpc-server.ts'
import { servicesOf } from '../../shared/rpc/server/waiting-service.ts'
import { inUrl } from '../../shared/runtime/http/in-url.ts'
import type { WatchedCertificates } from '../../shared/runtime/tls/watch-certificates.ts'
import type { EmbeddedConfig } from './config.ts'
import type { RunningServices } from './services.ts'

interface GrpcServersOptions extends Pick<EmbeddedConfig, 'grpcHost' | 'contractsPort' | 'businessesPort'> {
  readonly tls?: WatchedCertificates | undefined
  readonly access: GrpcAccess
  readonly budget: MemoryBudget
  readonly observers: Pick<GrpcServerOptions, 'onCall' | 'logger'>
}

/** Starts the services' gRPC servers, each on its own port, as in separate processes. */
export async function startGrpcServers(
  { contracts, businesses }: RunningServices['parts'],
  { grpcHost: host, contractsPort, businessesPort, tls, access, budget, observers }: GrpcServersOptions,
) {
  const serve = (port: number, services: readonly GrpcService[]) =>
    startGrpcServer({ host, port, services, access, budget, tls, ...observers })
  const contractsServer = await serve(contractsPort, servicesOf(SERVICES.contracts, contracts))
  await using failed = new AsyncDisposableStack()
  failed.defer(() => contractsServer.stop(0))
  const businessesServer = await serve(businessesPort, servicesOf(SERVICES.businesses, businesses))
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
    ...remoteServices(toContracts, toBusinesses),
    close(): void {
      toContracts.close()
      toBusinesses.close()
    },
  }
}
