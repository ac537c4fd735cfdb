import { anonymousCaller } from '../call-context.ts'
import type { GrpcRpc } from './grpc-client.ts'

/** HealthCheckResponse { status: SERVING }, encoded: field 1, value 1. */
const SERVING = Buffer.from([0x08, 0x01])
/** How long the health check itself may take, in milliseconds. */
const TIMEOUT = 1_000

/** Asks gRPC's standard health service for the server as a whole. Rejects when it does not answer that it serves. */
export async function checkServing(rpc: Pick<GrpcRpc, 'request'>): Promise<void> {
  const context = { ...anonymousCaller(), deadline: Date.now() + TIMEOUT }
  const answer = await rpc.request('grpc.health.v1.Health', 'Check', Buffer.alloc(0), context)
  if (!SERVING.equals(answer)) throw new Error('not serving')
}
