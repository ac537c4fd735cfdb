import { type CalledServices, type Guarded, SERVICES } from '../../kinds/services.ts'
import type { GrpcRpc } from './grpc-client.ts'
import { clientRememberingLists } from './remembering-client.ts'

/** The services of both parts, called over gRPC. */
export function remoteServices(toContracts: GrpcRpc, toBusinesses: GrpcRpc): CalledServices {
  const clientsOf = (services: Readonly<Record<string, Guarded>>, rpc: GrpcRpc) => {
    const clients = Object.entries(services).map(([name, { definition }]) => {
      return [name, clientRememberingLists(definition, rpc)] as const
    })
    return Object.fromEntries(clients)
  }
  const { status: contractsStatus, ...ofContracts } = clientsOf(SERVICES.contracts, toContracts)
  const { status: businessesStatus, relay: _, ...ofBusinesses } = clientsOf(SERVICES.businesses, toBusinesses)
  return { ...ofContracts, ...ofBusinesses, contractsStatus, businessesStatus } as unknown as CalledServices
}
