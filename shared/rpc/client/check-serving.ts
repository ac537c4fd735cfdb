import { anonymousCaller } from '../../calls/call-context.ts'
import type { ErrorCode } from '../../calls/errors.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import type { GrpcRpc } from './grpc-client.ts'

/** HealthCheckResponse { status: SERVING }, encoded: field 1, value 1. */
const SERVING = Buffer.from([0x08, 0x01])
const REFUSED = 'invalid_api_key' satisfies ErrorCode
/** How long the health check itself may take, in milliseconds. */
const TIMEOUT = 1_000

/**
 * Queries gRPC's standard health service for the server as a whole. Rejects unless the answer is SERVING. Also logs it
 * if the server refuses this process's secret.
 */
export async function checkServing(rpc: Pick<GrpcRpc, 'request'>, logger: Logger): Promise<void> {
  const context = { ...anonymousCaller(), deadline: Date.now() + TIMEOUT }
  const answer = await rpc.request('grpc.health.v1.Health', 'Check', Buffer.alloc(0), context).catch((error) => {
    if (error.code === REFUSED)
      logger.error({ outage: REFUSED, err: error }, 'a service refuses this process: give all the same SERVICE_SECRET')
    throw error
  })
  if (!SERVING.equals(answer)) throw new Error('not serving')
}
