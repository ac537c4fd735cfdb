import { createBudget } from '../../shared/budget/budget.ts'
import { type GrpcServerOptions, type GrpcService, startGrpcServer } from '../../shared/rpc/server/grpc-server.ts'
import { atEnd } from './cleanup.ts'
import { testAccess } from './grpc-access.ts'
import { quietLogger } from './quiet-logger.ts'

/** A real gRPC server on a free loopback port, stopped after the running test. */
export async function grpcServer(services: readonly GrpcService[], options: Partial<GrpcServerOptions> = {}) {
  const standard = { host: '127.0.0.1', port: 0, access: testAccess, budget: createBudget(), logger: quietLogger() }
  const server = await startGrpcServer({ ...standard, ...options, services })
  atEnd(() => server.stop(0))
  return { ...server, address: `127.0.0.1:${server.port}` }
}
