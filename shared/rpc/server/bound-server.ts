import type { Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Server } from '@grpc/grpc-js'
import { boundConnections, type ConnectionBounds } from './bound-connections.ts'

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

function keepEachAuthorization(
  _stream: ServerHttp2Stream,
  headers: Omit<IncomingHttpHeaders, 'authorization'> & { authorization?: string | string[] | undefined },
  _flags: number,
  raw: readonly string[],
): void {
  const given = raw.filter((_, index) => raw[index - 1] === 'authorization' && index % 2 === 1)
  if (given.length > 1) headers.authorization = given
}
