import type { EndedCall } from '../rpc/observed-calls.ts'
import { LATENCY_BUCKETS, type Metrics } from './metrics.ts'

/** Counts and times calls where they are answered. */
export function grpcServerMetrics(metrics: Metrics): (call: EndedCall) => void {
  return calls(
    metrics,
    'mint_grpc_server_call_duration_seconds',
    'gRPC calls answered by this process, and how long it took.',
  )
}

/** Counts and times calls where they are made: with waiting for a connection, and with all attempts. */
export function grpcClientMetrics(metrics: Metrics): (call: EndedCall) => void {
  return calls(
    metrics,
    'mint_grpc_client_call_duration_seconds',
    'gRPC calls made by this process, and how long the answer took, with all attempts.',
  )
}

function calls(metrics: Metrics, name: `mint_${string}`, help: string): (call: EndedCall) => void {
  const duration = metrics.histogram({ name, help, labels: ['method', 'code'], buckets: LATENCY_BUCKETS })
  return ({ method, code, milliseconds }) => duration.observe({ method, code }, milliseconds / 1000)
}
