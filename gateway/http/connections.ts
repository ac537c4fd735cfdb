import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Charge } from '../../shared/budget/charge.ts'

/** A pipelined request, waiting for those before it on its connection. */
export interface WaitingRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** What its address is charged for it. */
  readonly charge: Charge | undefined
}

/** A caller's connection. */
export interface Connection {
  readonly socket: Socket
  /** The response in progress, or else the last one. */
  current: ServerResponse | undefined
  readonly waiting: WaitingRequest[]
  /** Whether nothing more is read from it. */
  isRefused: boolean
  /** A sequence number: higher than that of any connection whose last request began earlier. */
  lastUse: number
}

function leastRecent(connections: readonly Connection[]): Connection | undefined {
  const [first, ...others] = connections
  return first && others.reduce((one, other) => (other.lastUse < one.lastUse ? other : one), first)
}

/** The open connections of a server. */
export type Connections = ReturnType<typeof createConnections>

/** Closed connections are not purged while there are fewer entries than this. */
const MIN_PURGED = 64

/** How long a refused connection stays open. */
const REFUSAL_MILLISECONDS = 1_000

/** Whether no request is being answered on a connection. One may be arriving, but its headers aren't complete. */
export const isIdle = ({ current }: Connection): boolean => current === undefined || current.closed

const replaceableResponses = new WeakSet<ServerResponse>()

/** Marks a response to a caller without a key, who may never take it: a new connection may replace its own. */
export const makeReplaceable = (res: ServerResponse): unknown => replaceableResponses.add(res)

/** Marks a response as having nothing to send yet: meanwhile a new connection may replace its own. */
export async function whileWaiting<Result>(res: ServerResponse, wait: Promise<Result>): Promise<Result> {
  replaceableResponses.add(res)
  const result = await wait
  replaceableResponses.delete(res)
  return result
}

const canBeDropped = (connection: Connection): boolean =>
  isIdle(connection) || (connection.current !== undefined && replaceableResponses.has(connection.current))

/** Whether a write is being carried out: without an answer, its caller would be in doubt. */
const isWriting = ({ current }: Connection): boolean =>
  current !== undefined && !READS.includes(current.req.method ?? '') && current.req.complete && !current.headersSent

const READS = ['GET', 'HEAD']

const owners = new WeakMap<Duplex, string>()

/** Records whose valid key was last used on a connection. */
export const setOwner = (socket: Duplex, principal: string): unknown => owners.set(socket, principal)

/** The most that one caller may use of a server's connections before others need them. */
const MAX_SHARE = 3 / 4

/**
 * Allows at most `max` connections. A new one replaces one of the key that has most or, if they have more, of those who
 * have presented none: the one that has been idle, waiting for something to answer, or answered without a key for
 * longest; or, if they use more than three quarters of all, the one that has been in use for longest without a write
 * being carried out. Otherwise it replaces the longest idle one of anybody, or is closed if there is none.
 */
export function createConnections(max: number) {
  const connections = new Map<Duplex, Connection>()
  let uses = 0
  let purgeAt = MIN_PURGED

  /**
   * Runs now and then, so that closed connections never outnumber open ones. A `close` listener on each socket would do
   * it at once, but makes V8 keep dead requests alive (a fifth more CPU time per request).
   */
  function purgeClosed(): void {
    for (const { socket } of connections.values()) {
      if (socket.destroyed) connections.delete(socket)
    }
    purgeAt = Math.max(MIN_PURGED, 2 * connections.size)
  }

  function makeRoom(newcomer: Connection): void {
    const open = [...connections.values()]
    const ofOwners = [...Map.groupBy(open, ({ socket }) => owners.get(socket)).values()]
    const most = ofOwners.reduce((one, other) => (other.length > one.length ? other : one))
    const isTooMany = most.length > MAX_SHARE * max
    const replaced =
      leastRecent(most.filter((one) => one !== newcomer && canBeDropped(one))) ??
      (isTooMany ? leastRecent(most.filter((one) => !isWriting(one))) : undefined) ??
      leastRecent(open.filter(canBeDropped))
    drop((replaced ?? newcomer).socket)
  }

  /** Closes a connection, and releases at once what Node has parsed from it. */
  function drop(socket: Socket): void {
    connections.delete(socket)
    socket.destroy()
  }

  return {
    /** Registers a new connection. */
    accept(socket: Socket): void {
      const connection: Connection = { socket, current: undefined, waiting: [], isRefused: false, lastUse: ++uses }
      connections.set(socket, connection)
      if (connections.size > Math.min(max, purgeAt)) purgeClosed()
      if (connections.size > max) makeRoom(connection)
    },
    drop,
    /**
     * Reads nothing more from a connection, and closes it after a second, or as soon as another one needs its place. A
     * refused caller reconnects at once, which costs more than keeping this connection.
     */
    refuse(socket: Socket): void {
      const connection = connections.get(socket)
      if (connection) Object.assign(connection, { isRefused: true, lastUse: 0 })
      socket.pause()
      const timer = setTimeout(drop, REFUSAL_MILLISECONDS, socket)
      socket.on('error', () => drop(socket)).once('close', () => clearTimeout(timer))
    },
    /** undefined if it was never accepted, was dropped, or has been closed and purged. */
    of: (socket: Duplex): Connection | undefined => connections.get(socket),
    all: (): Iterable<Connection> => connections.values(),
    /** Records that a request of the connection is now being served. */
    use(connection: Connection, res: ServerResponse): void {
      connection.current = res
      connection.lastUse = ++uses
    },
  }
}
