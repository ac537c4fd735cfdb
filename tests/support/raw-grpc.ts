import { once } from 'node:events'
import { type ClientHttp2Session, type ClientSessionOptions, connect, type OutgoingHttpHeaders } from 'node:http2'
import { atEnd } from './cleanup.ts'

/** A message as gRPC sends it; `length` is what its prefix claims. */
export function framed(message: Uint8Array, { flag = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5)
  prefix[0] = flag
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, message])
}

export const EMPTY_MESSAGE = framed(Buffer.alloc(0))

/** A connection to `host:port` for the running test. */
export async function http2Connection(address: string, options: ClientSessionOptions = {}) {
  const session = atEnd.destroy(connect(`http://${address}`, options)).on('error', () => {})
  await once(session, 'remoteSettings')
  return session
}

/** A call whose request is left open. */
export function openCall(session: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}) {
  const fixed = { ':method': 'POST', ':path': path, te: 'trailers', 'content-type': 'application/grpc' }
  return session.request({ ...fixed, ...headers }).on('error', () => {})
}
