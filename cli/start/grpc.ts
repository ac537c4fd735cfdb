import { SERVICES } from '../../shared/kinds/services.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/client/grpc-client.ts'
import { remoteServices } from '../../shared/rpc/client/remote-services.ts'
import { type GrpcServerOptions, type GrpcService, startGrpcServer } from '../../shared/rpc/server/grpc-server.ts'
import { servicesOf } from '../../shared/rpc/server/waiting-service.ts'
import { inUrl } from '../../shared/runtime/http/in-url.ts'
import type { EmbeddedConfig } from './config.ts'
import type { RunningServices } from './services.ts'

type ListenOptions = Pick<EmbeddedConfig, 'grpcHost' | 'contractsPort' | 'businessesPort'>

interface CleanUp {
  /** Registers how to stop what was started. */
  readonly atEnd: (end: () => Promise<void>) => void
}

interface ServeOptions extends Omit<GrpcServerOptions, 'host' | 'port' | 'services'>, CleanUp {
  /** How long calls in progress may take when the servers stop. */
  readonly graceMilliseconds: () => number
}

/** Starts the services' gRPC servers, each on its own port, as in separate processes. Returns their addresses. */
export async function startGrpcServers(
  { contracts, businesses }: RunningServices['parts'],
  { grpcHost: host, contractsPort, businessesPort }: ListenOptions,
  { atEnd, graceMilliseconds, ...options }: ServeOptions,
) {
  const servers: Awaited<ReturnType<typeof startGrpcServer>>[] = []
  atEnd(async () => void (await Promise.all(servers.map(({ stop }) => stop(graceMilliseconds())))))
  async function serve(port: number, services: readonly GrpcService[]): Promise<string> {
    const server = await startGrpcServer({ ...options, host, port, services })
    servers.push(server)
    return `${inUrl(host)}:${server.port}`
  }
  return {
    contracts: await serve(contractsPort, servicesOf(SERVICES.contracts, contracts)),
    businesses: await serve(businessesPort, servicesOf(SERVICES.businesses, businesses)),
  }
}

/** The services of this process, called through their gRPC servers. */
export function servicesOverGrpc(
  { contracts, businesses }: Readonly<Record<'contracts' | 'businesses', string>>,
  { atEnd, ...options }: Pick<GrpcRpcOptions, 'secrets' | 'tls' | 'logger'> & CleanUp,
) {
  const rpcTo = (address: string) => {
    const rpc = createGrpcRpc({ ...options, address })
    atEnd(async () => rpc.close())
    return rpc
  }
  return remoteServices(rpcTo(contracts), rpcTo(businesses))
}
