import { type ChannelOptions, Client, type Metadata, type ServiceError } from '@grpc/grpc-js'
import type { CallContext } from '../../calls/call-context.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import type { WatchedCertificates } from '../../runtime/tls/watch-certificates.ts'
import { presentSecret, type ServiceSecrets } from '../access/service-secret.ts'
import { asBuffer } from '../bytes.ts'
import { createStreamPool } from '../call-stream/stream-pool.ts'
import { toMetadata } from '../metadata.ts'
import { channelCredentials } from '../tls-credentials.ts'
import { createConnecting } from './connecting.ts'
import { type Attempt, callWithRetries } from './retries.ts'

/** What the generated `…ClientImpl` sends its requests through. */
export type GrpcRpc = ReturnType<typeof createGrpcRpc>

export interface GrpcRpcOptions {
  /** Where the servers are, for example `127.0.0.1:50051` or `dns:///contracts:50051`. */
  readonly address: string
  /** undefined: without encryption. */
  readonly tls?: WatchedCertificates | undefined
  /** Logs a line when TLS makes a connection fail. */
  readonly logger?: Logger
  /** Prove that this is one of Mint's own processes, to servers that want a secret. */
  readonly secrets?: ServiceSecrets
  /** How long a call without a deadline of its own may take, in milliseconds. */
  readonly timeoutMilliseconds?: number
  /** How long a call waits for a connection while there is none, in milliseconds. */
  readonly connectMilliseconds?: number
  /** For how long a stream takes calls before it is renewed, in milliseconds. */
  readonly renewMilliseconds?: number
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

const CHANNEL_OPTIONS: ChannelOptions = {
  // Calls are spread over all addresses of the name; the servers' maximum connection age makes clients look again.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.dns_min_time_between_resolutions_ms': 1000,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  // A server that was restarted gets its calls again within a second.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // A page of 100 contracts with the longest notes is above gRPC's usual 4 MB.
  'grpc.max_receive_message_length': MAX_ANSWER_BYTES,
  // Retrying is done in retries.ts, which has to know whether an attempt may have reached the server.
  'grpc.enable_retries': 0,
}

/**
 * Calls over gRPC; without `tls` for a private network. Calls of Mint's own services go many to a stream
 * (call-stream/), others plainly. Every failure is a CodedError: the server's own, or `unavailable` / `outcome_unknown`
 * when no answer came (see retries.ts). A write without a commitId gets one, so that sending it again is safe.
 */
export function createGrpcRpc(options: GrpcRpcOptions) {
  const { address, timeoutMilliseconds = 5000, connectMilliseconds = 1000, renewMilliseconds = 4000 } = options
  const { secrets = () => [] } = options
  const client = new Client(address, channelCredentials(options.tls), CHANNEL_OPTIONS)
  const connected = createConnecting(client, options)
  const streams = createStreamPool(client, { connected, renewMilliseconds, secrets })
  const attemptAt = (service: string, method: string, data: Uint8Array): Attempt => {
    const soon = (deadline: number): number => Math.min(deadline, Date.now() + connectMilliseconds)
    return service.startsWith('mint.')
      ? {
          connected: (deadline) => streams.connected(soon(deadline)),
          send: (context, deadline) => streams.send(`${service}/${method}`, data, context, deadline),
        }
      : {
          connected: (deadline) => connected(soon(deadline)),
          send: (context, deadline) =>
            send(client, `/${service}/${method}`, data, presentSecret(toMetadata(context), secrets), deadline),
        }
  }
  return {
    request: (service: string, method: string, data: Uint8Array, context?: CallContext) =>
      callWithRetries(attemptAt(service, method, data), { method, context, timeoutMilliseconds }),
    close() {
      streams.close()
      client.close()
    },
  }
}

/** One attempt. Rejects with gRPC's ServiceError. */
function send(
  client: Client,
  path: string,
  data: Uint8Array,
  metadata: Metadata,
  deadline: number,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const answered = (error: ServiceError | null, response?: Uint8Array): void =>
      error ? reject(error) : resolve(response as Uint8Array)
    client.makeUnaryRequest(path, asBuffer, asIs, data, metadata, { deadline }, answered)
  })
}

const asIs = (bytes: Buffer): Uint8Array => bytes
