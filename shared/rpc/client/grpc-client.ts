import { type ChannelOptions, Client, Metadata } from '@grpc/grpc-js'
import type { CallContext } from '../../calls/call-context.ts'
import { traced } from '../../runtime/tracing/tracing.ts'
import { attachSecret, type ServiceSecrets } from '../access/service-secret.ts'
import { createStreamPool } from '../call-stream/stream-pool.ts'
import { type CallObservers, observe } from '../observed-calls.ts'
import { channelCredentials } from '../tls-credentials.ts'
import { type ConnectingOptions, createConnecting, queryHealth } from './connecting.ts'
import { type Attempt, callWithRetries } from './retries.ts'

/** The transport of the generated `…ClientImpl`. */
export type GrpcRpc = ReturnType<typeof createGrpcRpc>

export interface GrpcRpcOptions extends ConnectingOptions {
  /** Gets each call once it has ended. If it is set, the logger also gets a line for each call, at level debug. */
  readonly onCall?: CallObservers['onCall']
  /** Identify this process as one of Mint's own, to servers that require a secret. */
  readonly secrets?: ServiceSecrets
  /** Timeout for calls without a deadline of their own, in milliseconds. */
  readonly timeoutMilliseconds?: number
  /** How long a call waits for a connection, in milliseconds. */
  readonly connectMilliseconds?: number
  /** How long a stream is used before it is renewed, in milliseconds. */
  readonly renewMilliseconds?: number
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

const CHANNEL_OPTIONS: ChannelOptions = {
  // Spreads calls over all addresses of the name; the servers' maximum connection age makes clients resolve it again.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.dns_min_time_between_resolutions_ms': 1000,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  // So that a restarted server gets calls again within a second.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // A page of 100 contracts with the longest notes exceeds gRPC's default of 4 MB.
  'grpc.max_receive_message_length': MAX_ANSWER_BYTES,
  // retries.ts retries instead: it has to know whether an attempt may have reached the server.
  'grpc.enable_retries': 0,
}

/**
 * Calls Mint's own services over gRPC; without `tls` for a private network only. Calls share streams (call-stream/). Every
 * failure is a CodedError: the server's own, or `unavailable` / `outcome_unknown` when no answer arrived (see retries.ts).
 * A write without a commitId gets one, so that it can be retried safely.
 */
export function createGrpcRpc(options: GrpcRpcOptions) {
  const { address, timeoutMilliseconds = 5000, connectMilliseconds = 1000, renewMilliseconds = 4000 } = options
  const { secrets = () => [] } = options
  const client = new Client(address, channelCredentials(options.tls), CHANNEL_OPTIONS)
  const connected = createConnecting(client, options)
  const streams = createStreamPool(client, { connected, renewMilliseconds, secrets })

  function call(service: string, method: string, data: Uint8Array, context?: CallContext) {
    const attempt: Attempt = {
      connected: (deadline) => streams.connected(Math.min(deadline, Date.now() + connectMilliseconds)),
      send: (context, deadline) => streams.send(`${service}/${method}`, data, context, deadline),
    }
    const answer = callWithRetries(attempt, { method, context, timeoutMilliseconds })
    // `npm start` observes calls where they are answered, which is in the same process.
    return options.onCall ? observe(`${service}/${method}`, answer, context, options) : answer
  }

  return {
    request(service: string, method: string, data: Uint8Array, context?: CallContext) {
      if (context?.traceparent === undefined) return call(service, method, data, context)
      return traced(`${service}/${method}`, { kind: 'client', context }, (own) => call(service, method, data, own))
    },
    /** What gRPC's standard health service answers. Rejects with grpc-js's error. */
    async health(deadline: number) {
      await connected(deadline)
      return await queryHealth(client, attachSecret(new Metadata(), secrets), deadline)
    },
    close() {
      streams.close()
      client.close()
    },
  }
}
