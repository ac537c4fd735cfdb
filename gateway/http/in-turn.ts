import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Connection, type Connections, isIdle } from './connections.ts'

/** How much memory the waiting requests of all connections may take together. */
const MAX_WAITING_BYTES = 32 * 2 ** 20
/** What Node's objects for a request and its answer take, and each of its headers; measured. */
const REQUEST_BYTES = 5_000
const HEADER_BYTES = 150

/** Whose turn it is on each connection. */
export type Turns = ReturnType<typeof createTurns>

/**
 * Serves the requests of a connection one after the other, each when the answer before it was taken. Node would hand
 * over all at once, and their answers would wait in memory for a caller who may never read. While requests wait nothing
 * more is read from their connection; the memory for those of all connections is bounded.
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
    /** Whether a request that comes over the connection now has to wait. */
    isBusy(socket: Socket): boolean {
      const connection = connections.of(socket)
      return connection !== undefined && !isIdle(connection)
    },
    /** Whether a request that would have to wait may not: its connection is to be closed. */
    isRefused: (req: IncomingMessage): boolean => hasPieces(req) || waitingBytes + bytesOf(req) > MAX_WAITING_BYTES,
    /** Serves a request when its turn comes. */
    take(req: IncomingMessage, res: ServerResponse): void {
      const connection = connections.of(req.socket)
      // Node goes on parsing what it has read of a connection that was closed meanwhile.
      if (connection === undefined || req.socket.destroyed) return
      if (isIdle(connection)) {
        connections.use(connection, res)
        serve(req, res)
      } else wait(connection, req, res)
    },
  }
}

/** Not at once: Node starts reading again at the end of each request that it parses. */
function pauseSoon({ socket, waiting }: Connection): void {
  setImmediate(() => {
    if (waiting.length > 0) socket.pause()
  })
}

function bytesOf({ rawHeaders }: IncomingMessage): number {
  return REQUEST_BYTES + (rawHeaders.length / 2) * HEADER_BYTES
}

/** A body that may come in ever so many small pieces, each of which is an object until somebody reads it. */
function hasPieces({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.some((name, index) => index % 2 === 0 && /^transfer-encoding$/i.test(name))
}
