import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** How a hostile caller reads its answers: normally, never, or slowly. */
export type Reading = 'read' | 'unread' | 'slow'

/** Connections that all do the same. */
export interface Traffic {
  readonly port: number
  readonly connections: number
  readonly reading: Reading
  /** The bytes that a connection sends; may vary by connection and by how often it has been opened. */
  readonly send: (connection: number, round: number) => string | Buffer
}

/** An attack in full progress. */
export interface RunningTraffic {
  /** Closes all connections and opens no more. */
  stop(): Promise<void>
}

/** Fewer than a server's backlog: any beyond it would be retried only after a second. */
const BACKLOG = 200
/** How a slow caller reads: 20 KB a second on each connection. */
const SLOW = { bytes: 2_000, milliseconds: 100 }
/** Delay before a connection that the other side closed is reopened, in milliseconds. */
const REOPEN_DELAY = 20

/** Opens the connections and sends; reopens any that is closed. Resolves when each has been open and has sent. */
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
      await pause(REOPEN_DELAY, undefined, { signal: stopped.signal }).catch(() => undefined)
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

/** Errors are ignored: a refused or broken connection also closes. */
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
