import type { ErrorCode } from '../../calls/errors.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { fromGrpcStatus } from '../status.ts'
import type { GrpcRpc } from './grpc-client.ts'

/** HealthCheckResponse { status: SERVING }, encoded: field 1, value 1. */
const SERVING = Buffer.from([0x08, 0x01])
const REFUSED = 'invalid_api_key' satisfies ErrorCode
/** How long the health check itself may take, in milliseconds. */
const TIMEOUT = 1_000

/** Rejects unless the server reports SERVING. Also logs it if the server refuses this process's secret. */
export async function checkServing(rpc: Pick<GrpcRpc, 'health'>, logger: Logger): Promise<void> {
  const answer = await rpc.health(Date.now() + TIMEOUT).catch((error) => {
    const err = fromGrpcStatus(error)
    if (err?.code === REFUSED)
      logger.error({ outage: REFUSED, err }, 'a service refuses this process: give all the same SERVICE_SECRET')
    throw error
  })
  if (!SERVING.equals(answer)) throw new Error('not serving')
}
