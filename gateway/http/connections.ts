import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** A request that waits for those before it on its connection. */
export interface WaitingRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** What it takes in memory, roughly. */
  readonly bytes: number
}

/** One connection with a caller. */
export interface Connection {
  readonly socket: Socket
  /** The answer that is made or sent, or the last one that was. */
  current: ServerResponse | undefined
  readonly waiting: WaitingRequest[]
  /** Higher than that of every connection whose last request began earlier. */
  lastUse: number
}

/** The open connections of a server. */
export type Connections = ReturnType<typeof createConnections>

/** So many are looked through at least before closed ones are forgotten. */
const FEW = 64

/** Whether nothing is being answered on a connection: a request may be on its way, but not all of its headers. */
export const isIdle = ({ current }: Connection): boolean => current === undefined || current.closed

/** At most `max`: a new one takes the place of the one idle for the longest; where none is idle it is closed. */
export function createConnections(max: number) {
  const connections = new Map<Duplex, Connection>()
  let uses = 0
  let forgetAt = FEW

  /**
   * From time to time, so that no more closed ones are remembered than there are open ones: one more listener for `close`
   * on each socket makes V8 take dead requests for live ones (a fifth more processor time for each request).
   */
  function forgetClosed(): void {
    for (const { socket } of connections.values()) {
      if (socket.destroyed) connections.delete(socket)
    }
    forgetAt = Math.max(FEW, 2 * connections.size)
  }

  function makeRoom(newcomer: Connection): void {
    let oldest = newcomer
    for (const connection of connections.values()) {
      if (connection.lastUse < oldest.lastUse && isIdle(connection)) oldest = connection
    }
    connections.delete(oldest.socket)
    oldest.socket.destroy()
  }

  return {
    /** Takes over a new one. */
    accept(socket: Socket): void {
      const connection: Connection = { socket, current: undefined, waiting: [], lastUse: ++uses }
      connections.set(socket, connection)
      if (connections.size > Math.min(max, forgetAt)) forgetClosed()
      if (connections.size > max) makeRoom(connection)
    },
    /** undefined where it was never accepted, or is closed and forgotten. */
    of: (socket: Duplex): Connection | undefined => connections.get(socket),
    all: (): Iterable<Connection> => connections.values(),
    /** Notes that a request of the connection is served from now on. */
    use(connection: Connection, res: ServerResponse): void {
      connection.current = res
      connection.lastUse = ++uses
    },
  }
}
