import type { Http2Server, IncomingHttpHeaders, ServerHttp2Stream, Settings } from 'node:http2'
import type { Server, ServerInterceptingCallInterface, ServerUnaryCall } from '@grpc/grpc-js'
import { boundConnections, type ConnectionBounds } from './bound-connections.ts'

/** Adds HTTP/2 settings that grpc-js has no options for. Call it before the server is bound. */
export function addSettings(server: Server, settings: Settings): void {
  const { commonServerOptions } = server as unknown as { readonly commonServerOptions: { settings?: Settings } }
  commonServerOptions.settings = { ...commonServerOptions.settings, ...settings }
}

/**
 * Configures the HTTP/2 servers inside a bound grpc-js server in two ways that it has no options for: limits their
 * connections, and passes on all `authorization` headers, of which Node drops all but the first.
 */
export function boundServer(server: Server, bounds: ConnectionBounds): void {
  const { http2Servers } = server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> }
  for (const http2Server of http2Servers.keys()) {
    boundConnections(http2Server, bounds)
    http2Server.prependListener('stream', keepEachAuthorization)
  }
}

/** The HTTP/2 stream of a call as a handler or an interceptor has it: one wraps the other, and the innermost has it. */
export function streamOf(call: ServerInterceptingCallInterface | ServerUnaryCall<unknown, unknown>): ServerHttp2Stream {
  const inside = call as unknown as {
    readonly stream?: ServerHttp2Stream
    readonly call?: ServerInterceptingCallInterface
    readonly nextCall: ServerInterceptingCallInterface
  }
  return inside.stream ?? streamOf(inside.call ?? inside.nextCall)
}

function keepEachAuthorization(
  _stream: ServerHttp2Stream,
  headers: Omit<IncomingHttpHeaders, 'authorization'> & { authorization?: string | string[] | undefined },
  _flags: number,
  raw: readonly string[],
): void {
  const given = raw.filter((_, index) => raw[index - 1] === 'authorization' && index % 2 === 1)
  if (given.length > 1) headers.authorization = given
}
