import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Connection, type Connections, isIdle } from './connections.ts'

/** How much memory the waiting requests of all connections may use together. */
const MAX_WAITING_BYTES = 32 * 2 ** 20
/** Measured sizes of Node's objects for a request with its response, and for each header. */
const REQUEST_BYTES = 5_000
const HEADER_BYTES = 150

/** Serves one request at a time on each connection. */
export type Turns = ReturnType<typeof createTurns>

/**
 * Serves the requests of a connection one after the other, each once the previous answer is out. Node would emit all
 * pipelined requests at once, and their answers would wait in memory for a caller who may never read them. While
 * requests wait, nothing more is read from their connection; their memory is bounded across all connections.
 */
export function createTurns(connections: Connections, serve: RequestListener) {
  let waitingBytes = 0

  function serveNext(connection: Connection): void {
    const { waiting, socket } = connection
    if (socket.destroyed) {
      for (const { bytes } of waiting.splice(0)) waitingBytes -= bytes
      return
    }
    const next = waiting.shift()
    if (next === undefined) return
    waitingBytes -= next.bytes
    if (waiting.length === 0) socket.resume()
    else next.res.once('close', () => serveNext(connection))
    connections.use(connection, next.res)
    serve(next.req, next.res)
  }

  function wait(connection: Connection, req: IncomingMessage, res: ServerResponse): void {
    const bytes = bytesOf(req)
    waitingBytes += bytes
    if (connection.waiting.push({ req, res, bytes }) === 1) {
      connection.current?.once('close', () => serveNext(connection))
    }
    pauseSoon(connection)
  }

  return {
    /** Whether a request that arrives on the connection now has to wait. */
    isBusy(socket: Socket): boolean {
      const connection = connections.of(socket)
      return connection !== undefined && !isIdle(connection)
    },
    /** Whether a request that would have to wait is refused, by closing its connection. */
    isRefused: (req: IncomingMessage): boolean => hasPieces(req) || waitingBytes + bytesOf(req) > MAX_WAITING_BYTES,
    /** Serves a request when its turn comes. */
    take(req: IncomingMessage, res: ServerResponse): void {
      const connection = connections.of(req.socket)
      // Node keeps parsing what it has read from a connection that has since been closed.
      if (connection === undefined || req.socket.destroyed) return
      if (isIdle(connection)) {
        connections.use(connection, res)
        serve(req, res)
      } else wait(connection, req, res)
    },
  }
}

/** Deferred, because Node resumes reading at the end of each request that it parses. */
function pauseSoon({ socket, waiting }: Connection): void {
  setImmediate(() => {
    if (waiting.length > 0) socket.pause()
  })
}

function bytesOf({ rawHeaders }: IncomingMessage): number {
  return REQUEST_BYTES + (rawHeaders.length / 2) * HEADER_BYTES
}

/** Whether the body may come in any number of small pieces, each of them an object until it is read. */
function hasPieces({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.some((name, index) => index % 2 === 0 && /^transfer-encoding$/i.test(name))
}
