import type { Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Server } from '@grpc/grpc-js'

/** Of each port. Mint's own processes need two or so each; what is beyond is closed at once. */
const MAX_CONNECTIONS = 1_024

/**
 * Does two things on the HTTP/2 servers inside a bound grpc-js server that it has no options for: bounds their
 * connections, and has all `authorization` headers reach it, of which Node leaves out all but the first.
 */
export function boundServer(server: Server): void {
  const { http2Servers } = server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> }
  for (const http2Server of http2Servers.keys()) {
    http2Server.maxConnections = MAX_CONNECTIONS
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
