import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What a hostile caller does with what it is sent: takes it, never takes any, or takes little at a time. */
export type Reading = 'read' | 'unread' | 'slow'

/** Connections that all do the same. */
export interface Traffic {
  readonly port: number
  readonly connections: number
  readonly reading: Reading
  /** The bytes that a connection sends; they may differ by connection and by how often it was opened before. */
  readonly send: (connection: number, round: number) => string | Buffer
}

/** An attack that has fully begun. */
export interface RunningTraffic {
  /** Closes all connections and opens no more. */
  stop(): Promise<void>
}

/** Fewer than a server's backlog: the rest would be tried again only after a second. */
const BACKLOG = 200
/** Of one who is slow: 20 KB a second on each connection. */
const SLOW = { bytes: 2_000, milliseconds: 100 }
/** Before a connection that the other side closed is opened again, in milliseconds. */
const REOPEN = 20

/** Opens the connections and sends; one that is closed is opened again. Resolves when each was open and has sent. */
export async function beginTraffic(traffic: Traffic): Promise<RunningTraffic> {
  const open = new Set<Socket>()
  const stopped = new AbortController()
  const lanes: Promise<void>[] = []

  async function lane(connection: number, begun: () => void): Promise<void> {
    for (let round = 0; !stopped.signal.aborted; round++) {
      const socket = opened(traffic)
      open.add(socket)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed])
      if (socket.writable) socket.write(traffic.send(connection, round))
      begun()
      await closed
      open.delete(socket)
      await pause(REOPEN, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  for (let first = 0; first < traffic.connections; first += BACKLOG) {
    const some = Array.from(
      { length: Math.min(BACKLOG, traffic.connections - first) },
      (_, index) => new Promise<void>((resolve) => lanes.push(lane(first + index, resolve))),
    )
    await Promise.all(some)
  }
  return {
    async stop() {
      stopped.abort()
      for (const socket of open) socket.destroy()
      await Promise.all(lanes)
    },
  }
}

/** A refused or broken connection only closes. */
function opened({ port, reading }: Traffic): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  if (reading === 'read') return socket.resume()
  socket.pause()
  if (reading === 'slow') readSlowly(socket)
  return socket
}

function readSlowly(socket: Socket): void {
  const timer = setInterval(
    () => socket.read(Math.min(SLOW.bytes, socket.readableLength) || undefined),
    SLOW.milliseconds,
  )
  socket.once('close', () => clearInterval(timer))
}
