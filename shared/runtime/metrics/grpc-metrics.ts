import type { EndedCall } from '../../rpc/observed-calls.ts'
import type { Metrics } from './metrics.ts'

/** Counts and times calls on the server side. */
export function grpcServerMetrics(metrics: Metrics): (call: EndedCall) => void {
  return calls(metrics, 'server', 'gRPC calls answered by this process, and how long they took.')
}

/** Counts and times calls on the client side, including the wait for a connection and all attempts. */
export function grpcClientMetrics(metrics: Metrics): (call: EndedCall) => void {
  return calls(metrics, 'client', 'gRPC calls made by this process, and how long they took, including all attempts.')
}

function calls(metrics: Metrics, side: 'server' | 'client', help: string): (call: EndedCall) => void {
  const name = `mint_grpc_${side}_call_duration_seconds` as const
  const duration = metrics.histogram({ name, help, labels: ['method', 'code'] })
  return ({ method, code, milliseconds }) => duration.observe({ method, code }, milliseconds / 1000)
}
