import type { Http2Server, Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { collectGarbage } from '../../runtime/process/collect-garbage.ts'
import { type KnownSessions, OWN_PROCESS } from '../access/open-streams.ts'

/** How many connections a port accepts, and how long one may stay open without speaking HTTP/2. */
export interface ConnectionLimits {
  readonly max: number
  readonly silentMilliseconds: number
}

/** Mint's own processes need about two connections each. */
export const CONNECTION_LIMITS: ConnectionLimits = { max: 1_024, silentMilliseconds: 10_000 }

/**
 * Garbage is collected after this many connections. What a connection leaves behind is small in V8's heap, but up to
 * 64 KB outside of it: headers, what was read from the socket, and HTTP/2's state. Only a full collection frees that,
 * and V8 delays one until the heap itself has grown. Measured with 850 clients a second that connect, call once without
 * a key and leave: after 20 s the process used 1 GB, and 145 MB with these collections.
 */
const CONNECTIONS_PER_COLLECTION = 500

interface Connection {
  readonly socket: Socket
  readonly silence: NodeJS.Timeout
  session?: Http2Session
  streams: number
}

/**
 * Limits the connections of a server: a new one displaces one of the key that has most or, if they have more, of those who
 * have presented none: the oldest without an open stream, else the oldest. Mint's own processes keep theirs. A connection
 * whose client has not sent its HTTP/2 settings in time is closed, too.
 */
export function limitConnections(
  http2Server: Http2Server,
  { max, silentMilliseconds }: ConnectionLimits,
  known: KnownSessions,
): void {
  // Keyed by the client's address and port, the only link between a TLS session and its connection. Oldest first.
  const connections = new Map<string, Connection>()
  const ofSessions = new WeakMap<Http2Session, Connection>()
  let ended = 0

  http2Server.prependListener('connection', (socket: Socket) => {
    const name = nameOf(socket)
    const silence = setTimeout(() => socket.destroy(), silentMilliseconds).unref()
    const connection: Connection = { socket, silence, streams: 0 }
    connections.set(name, connection)
    socket.once('close', () => {
      clearTimeout(silence)
      if (connections.get(name) === connection) connections.delete(name)
      ended += 1
      if (ended % CONNECTIONS_PER_COLLECTION === 0) collectGarbage()
    })
    if (connections.size > max) makeRoom(connection)
  })
  http2Server.on('session', (session) => {
    const connection = connections.get(nameOf(session.socket))
    if (!connection) return
    ofSessions.set(session, connection)
    connection.session = session
    session.once('remoteSettings', () => clearTimeout(connection.silence))
  })
  http2Server.on('stream', (stream) => {
    const connection = stream.session && ofSessions.get(stream.session)
    if (!connection) return
    connection.streams += 1
    stream.once('close', () => {
      connection.streams -= 1
    })
  })

  function makeRoom(newcomer: Connection): void {
    const ownerOf = ({ session }: Connection) => session && known.get(session)
    const others = [...connections.values()].filter((one) => one !== newcomer && !one.socket.destroyed)
    const ofOwners = Map.groupBy(others, ownerOf)
    ofOwners.delete(OWN_PROCESS)
    const [most = []] = [...ofOwners.values()].sort((one, other) => other.length - one.length)
    const replaced = most.find(({ streams }) => streams === 0) ?? most[0] ?? newcomer
    replaced.socket.destroy()
  }
}

const nameOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`
