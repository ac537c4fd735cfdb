import { once } from 'node:events'
import { type AddressInfo, createServer, type ListenOptions, Server, type ServerOpts, type Socket } from 'node:net'

/**
 * How many connections may wait to be accepted on each socket; the system may allow fewer. Node's default of 511 overflows
 * when many clients connect at once; the rest retry only after 1, 3 and 7 seconds.
 */
const BACKLOG = 4_096

/**
 * In a turn of the event loop, libuv accepts a single connection of each listening socket. With one socket, a caller who
 * opens 300 connections and asks for long lists, which take 10 ms each, kept all others' new connections waiting for 4 s.
 * Only Linux distributes connections over sockets of one port.
 */
const SOCKETS = process.platform === 'linux' ? 16 : 1

/** For sockets as Node's HTTP server creates them: a client may close its side before it reads the answer. */
const LIKE_HTTP: ServerOpts = { allowHalfOpen: true, noDelay: true }

/** The open sockets of a port. */
export interface Listening {
  readonly port: number
  /** Accepts no more connections. Resolves when those accepted have ended; cuts none. */
  close(): Promise<void>
}

/**
 * Has a server listen, together with other sockets that pass their connections on to it. The system chooses the port when
 * 0 is given. Rejects with the system's error. `sockets`: the options that the server was created with.
 */
export async function listen(server: Server, host: string, port: number, sockets = LIKE_HTTP): Promise<Listening> {
  // Sockets that share a port would share it with those of another Mint, too.
  if (SOCKETS > 1) await checkIsFree(host, port)
  const reusePort = SOCKETS > 1
  await open(server, { host, port, reusePort })
  const at = { host, port: (server.address() as AddressInfo).port, reusePort }
  const pass = (socket: Socket): unknown => server.emit('connection', socket)
  const others = Array.from({ length: SOCKETS - 1 }, () => createServer(sockets, pass))
  await Promise.all(others.map((other) => open(other, at)))
  return { port: at.port, close: async () => void (await Promise.all([server, ...others].map(closed))) }
}

/** Rejects with the system's error if a port can't be listened on; 0 is any free one. */
export async function checkIsFree(host: string, port: number): Promise<void> {
  if (port !== 0) await closed(await open(createServer(), { host, port }))
}

async function open(server: Server, at: ListenOptions): Promise<Server> {
  await once(server.listen({ ...at, backlog: BACKLOG }), 'listening')
  return server
}

/** The `close` of Node's HTTP server would also cut answers that are ended but not fully sent. */
const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => Server.prototype.close.call(server, () => resolve()))
