import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { ErrorInfo } from '../../shared/gen/google/rpc/error_details.ts'
import { Status } from '../../shared/gen/google/rpc/status.ts'

/** How a call ended for a caller that knows only gRPC. */
export interface GrpcOutcome {
  /** gRPC's name for the status, for example `OK` or `UNAUTHENTICATED`. */
  readonly code: string
  /** The `reason` of the ErrorInfo; undefined without one. */
  readonly reason?: string
  readonly details?: string
  readonly answer?: Buffer
}

/** One plain call of a method (`/mint.contracts.v1.ClientsService/GetClient`), on a separate connection. */
export function grpcCall(
  address: string,
  path: string,
  metadata: Readonly<Record<string, string>> = {},
  request: Uint8Array = Buffer.alloc(0),
  channel = credentials.createInsecure(),
): Promise<GrpcOutcome> {
  const client = new Client(address, channel, { 'grpc.use_local_subchannel_pool': 1 })
  const asIs = (bytes: Buffer): Buffer => bytes
  const ended = new Promise<GrpcOutcome>((resolve) => {
    const sent = Metadata.fromHttp2Headers(metadata)
    client.makeUnaryRequest(path, asIs, asIs, Buffer.from(request), sent, (error, answer) =>
      resolve(error ? outcomeOf(error) : { code: 'OK', ...(answer && { answer }) }),
    )
  })
  return ended.finally(() => client.close())
}

/** How a call or stream ended, from its error. */
export function outcomeOf({ code, details, metadata }: ServiceError): GrpcOutcome {
  const [bytes] = metadata?.get('grpc-status-details-bin') ?? []
  const [info] = bytes instanceof Buffer ? Status.decode(bytes).details : []
  return { code: status[code], details, ...(info && { reason: ErrorInfo.decode(info.value).reason }) }
}
