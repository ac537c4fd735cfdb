import type { Http2Server, Http2Session, IncomingHttpHeaders, ServerHttp2Stream, Settings } from 'node:http2'
import {
  type Server,
  type ServerInterceptingCallInterface,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import type { Admission } from '../access/admission.ts'
import { type KnownSessions, STREAM_SETTINGS } from '../access/open-streams.ts'
import { clampTimeoutHeader } from '../deadline-limit.ts'
import { type ConnectionLimits, limitConnections } from './connection-limits.ts'

/** Adds HTTP/2 settings that grpc-js has no options for. Call it before the server is bound. */
export function addSettings(server: Server, settings: Settings): void {
  const { commonServerOptions } = server as unknown as { readonly commonServerOptions: { settings?: Settings } }
  commonServerOptions.settings = { ...commonServerOptions.settings, ...settings }
}

/**
 * Configures the HTTP/2 servers inside a bound grpc-js server in ways that it has no options for: limits their
 * connections and the headers of each stream from its first byte, lets a closing connection finish its calls, and admits
 * calls before grpc-js sees them.
 */
export function configureHttp2(
  server: Server,
  limits: ConnectionLimits,
  known: KnownSessions,
  admission: Admission,
): void {
  const { http2Servers } = server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> }
  for (const http2Server of http2Servers.keys()) {
    admitStreams(http2Server, admission)
    http2Server.on('session', keepWhileClosing)
    limitConnections(http2Server, limits, known)
  }
}

/**
 * Answers the pings of a connection that is closing, because of its age or by its client: Node sends none there, and
 * grpc-js would cut off all calls in progress, which its time for them ends anyway.
 */
function keepWhileClosing(session: Http2Session): void {
  const ping = session.ping.bind(session)
  Object.assign(session, {
    ping(answered: (error: Error | null) => void): boolean {
      if (!session.closed) return ping(answered)
      setImmediate(answered, null)
      return true
    },
  })
}

type StreamListener = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  raw: readonly string[],
) => void

/**
 * Passes calls that are admitted to grpc-js if they are still open: for one that isn't, it throws where nothing catches.
 * First refuses compressed messages, and corrects a header that it would misread.
 */
function admitStreams(http2Server: Http2Server, admission: Admission): void {
  const handlers = http2Server.listeners('stream') as StreamListener[]
  http2Server.removeAllListeners('stream')
  const admit: StreamListener = (stream, headers, flags, raw) => {
    endIfTooLong(stream, raw)
    if (stream.destroyed || stream.closed) return
    // Nobody else listens before grpc-js does; `close` follows.
    stream.on('error', () => undefined)
    const { 'grpc-encoding': encoding = 'identity' } = headers
    if (encoding !== 'identity') return stream.respond(COMPRESSED, { endStream: true })
    const { 'grpc-timeout': timeout } = headers
    if (timeout !== undefined) headers['grpc-timeout'] = clampTimeoutHeader(String(timeout))
    const authorizations = raw.filter((_, index) => raw[index - 1] === 'authorization' && index % 2 === 1)
    admission.admit({ stream, headers, authorizations }, () => {
      // It ended while nobody listened, which it does only without a message: grpc-js would wait for one.
      if (stream.readableEnded) return stream.respond(WITHOUT_MESSAGE, { endStream: true })
      for (const handler of handlers) handler.call(http2Server, stream, headers, flags, raw)
    })
  }
  http2Server.on('stream', admit)
}

/** grpc-js would decompress a kilobyte to a megabyte as soon as it arrives, which nobody is charged for. */
const COMPRESSED = {
  'content-type': 'application/grpc',
  'grpc-status': status.UNIMPLEMENTED,
  'grpc-message': 'Send messages without compression.',
  'grpc-accept-encoding': 'identity',
}
const WITHOUT_MESSAGE = { ...COMPRESSED, 'grpc-message': 'Send a message: the call ended without one.' }

/** The HTTP/2 stream of a handler's or an interceptor's call: these wrap each other, and the innermost has it. */
export function streamOf(
  call: ServerInterceptingCallInterface | ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>,
): ServerHttp2Stream {
  const inside = call as unknown as {
    readonly stream?: ServerHttp2Stream
    readonly call?: ServerInterceptingCallInterface
    readonly nextCall: ServerInterceptingCallInterface
  }
  return inside.stream ?? streamOf(inside.call ?? inside.nextCall)
}

/**
 * Ends a connection that sends overlong headers before it has acknowledged the settings. Node applies
 * `maxHeaderListSize` only from then on, and an attacker never acknowledges: 54 KB for each of 100 streams would pass.
 */
function endIfTooLong({ session }: ServerHttp2Stream, raw: readonly string[]): void {
  if (!session?.pendingSettingsAck) return
  if (raw.reduce((sum, { length }) => sum + length, 0) > STREAM_SETTINGS.maxHeaderListSize) session.destroy()
}
