import { createBudget, type MemoryBudget } from '../../shared/budget/budget.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import {
  type Client,
  type ClientsService,
  ClientsServiceClientImpl,
  ClientsServiceService,
} from '../../shared/gen/mint/contracts/v1/clients.ts'
import type { GrpcAccess } from '../../shared/rpc/access/admission.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/client/grpc-client.ts'
import { grpcService, startGrpcServer } from '../../shared/rpc/server/grpc-server.ts'
import { testAccess, testSecrets } from './grpc-access.ts'
import { quietLogger } from './quiet-logger.ts'

/** A Client message, complete. */
export const aClient = (changes: Partial<Client> = {}): Client => ({
  clientId: '11111111-1111-1111-1111-111111111111',
  clientType: 'business',
  businessId: '22222222-2222-2222-2222-222222222222',
  displayName: 'École des Mines',
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_001,
  version: 3,
  ...changes,
})

/** The smallest of the generated services, answering with the given functions, to test a transport. */
export function clientsServiceOf(methods: Partial<ClientsService>): ClientsService {
  const missing = async (): Promise<never> => {
    throw new CodedError('not_found', 'There is no such client.')
  }
  return {
    getClient: missing,
    listClients: missing,
    listClientsByName: missing,
    listClientNames: missing,
    ...methods,
  }
}

/** Who may call a server, and how much memory they may make it use. */
type CallerBounds = Partial<GrpcAccess> & { readonly budget?: MemoryBudget }

/** That service behind a real gRPC server on a free port, with a client for it; `ends` collects what stops both. */
export async function overGrpc(
  ends: (end: () => unknown) => void,
  methods: Partial<ClientsService>,
  { bounds, ...options }: Partial<GrpcRpcOptions> & { bounds?: CallerBounds } = {},
) {
  const server = await startClientsServer(methods, 0, bounds)
  ends(() => server.stop(0))
  const address = `127.0.0.1:${server.port}`
  const rpc = createGrpcRpc({ address, secrets: testSecrets, ...options })
  ends(() => rpc.close())
  return { server, address, clients: new ClientsServiceClientImpl(rpc) }
}

/** That service behind a real gRPC server, on a free port when none is given. */
export function startClientsServer(methods: Partial<ClientsService>, port = 0, bounds: CallerBounds = {}) {
  const services = [grpcService(ClientsServiceService, clientsServiceOf(methods))]
  const { budget = createBudget(), ...access } = bounds
  return startGrpcServer({
    host: '127.0.0.1',
    port,
    services,
    access: { ...testAccess, ...access },
    budget,
    logger: quietLogger(),
  })
}
