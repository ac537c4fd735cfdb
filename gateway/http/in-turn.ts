import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Response } from 'express'
import type { MemoryBudget } from '../../shared/budget/budget.ts'
import type { Charge } from '../../shared/budget/charge.ts'
import { type Connection, type Connections, isIdle, type WaitingRequest } from './connections.ts'
import { chargeTo, type Exchange } from './exchange.ts'

/** Measured sizes of Node's objects for a request with its response, and for each header. */
const REQUEST_BYTES = 5_000
const HEADER_BYTES = 150
const MANY_HEADERS_BYTES = 16 * 1024

/** The window of the rate limit. */
const WINDOW_MILLISECONDS = 1_000

/** Serves one request at a time on each connection. */
export type Turns = ReturnType<typeof createTurns>

/**
 * Serves the requests of a connection one after the other, each once the previous answer is out. Node would emit all
 * pipelined requests at once, and their answers would wait in memory for a caller who may never read them. While
 * requests wait, nothing more is read from their connection; their memory is charged to their address.
 */
export function createTurns(connections: Connections, serve: RequestListener, budget: MemoryBudget) {
  /** Of requests that arrived before their turn. */
  const charges = new WeakMap<IncomingMessage, Charge>()

  function serveNext(connection: Connection): void {
    const { waiting, socket, current } = connection
    if (socket.destroyed) {
      // Node keeps waiting requests in memory while the one before them is being answered.
      for (const { charge } of waiting.splice(0)) if (current && charge) chargeAlong(current, charge)
      connections.drop(socket)
      return
    }
    // The last answer closes the connection: callers repeat on another one what they sent after that request.
    if (!socket.writable) return void socket.once('close', () => serveNext(connection))
    const next = waiting.shift()
    if (next === undefined) return
    next.charge?.release()
    if (waiting.length > 0) serveNextAfter(next.res, connection)
    else if (!connection.isRefused) socket.resume()
    begin(connection, next.req, next.res)
  }

  /** After a 429 the next request waits for a new window: pipelining gains nothing over the rate limit. */
  function serveNextAfter(res: ServerResponse, connection: Connection): void {
    res.once('close', () => {
      if (res.statusCode === 429) setTimeout(serveNext, WINDOW_MILLISECONDS, connection)
      else serveNext(connection)
    })
  }

  /** Many headers are charged until their request is answered; few are bounded by the number of connections. */
  function begin(connection: Connection, req: IncomingMessage, res: ServerResponse): void {
    const hasManyHeaders = bytesOf(req) > MANY_HEADERS_BYTES
    const charge = hasManyHeaders ? budget.ofAddress(req.socket.remoteAddress ?? '').take(bytesOf(req)) : undefined
    if (hasManyHeaders && charge === undefined) return void connections.drop(req.socket)
    connections.use(connection, res)
    serve(req, res)
    if (charge) chargeAlong(res, charge)
  }

  function wait(connection: Connection, request: WaitingRequest): void {
    if (connection.waiting.push(request) === 1 && connection.current) serveNextAfter(connection.current, connection)
    pauseSoon(connection)
  }

  return {
    /** Whether a request can neither be served at once nor wait. */
    isRefused(req: IncomingMessage): boolean {
      const connection = connections.of(req.socket)
      // Dropped: Node would turn all that it has read from it into requests.
      if (connection === undefined) return true
      if (isFree(connection)) return false
      // CONNECT never becomes a request.
      if (req.method === 'CONNECT' || isChunked(req)) return true
      const charge = budget.ofAddress(req.socket.remoteAddress ?? '').take(bytesOf(req))
      if (charge) charges.set(req, charge)
      return charge === undefined
    },
    /** Serves a request when its turn comes. */
    take(req: IncomingMessage, res: ServerResponse): void {
      const connection = connections.of(req.socket)
      const charge = charges.get(req)
      // Node keeps parsing what it has read from a connection that has since been closed, or is about to be.
      if (connection === undefined || !req.socket.writable) charge?.release()
      else if (isFree(connection)) begin(connection, req, res)
      else wait(connection, { req, res, charge })
    },
  }
}

/** Whether a request that arrives on the connection now is served at once. */
const isFree = (connection: Connection): boolean => isIdle(connection) && connection.waiting.length === 0

/** Deferred, because Node resumes reading at the end of each request that it parses. */
function pauseSoon({ socket, waiting }: Connection): void {
  setImmediate(() => {
    if (waiting.length > 0) socket.pause()
  })
}

/** Holds a charge until the exchange of a response is over. */
function chargeAlong(res: ServerResponse, charge: Charge): void {
  const exchange: Exchange | undefined = (res as Response).locals.exchange
  if (exchange) chargeTo(exchange, charge)
  else charge.release()
}

function bytesOf({ rawHeaders }: IncomingMessage): number {
  return REQUEST_BYTES + (rawHeaders.length / 2) * HEADER_BYTES
}

/** Whether the body may arrive in any number of small chunks, each of them an object until it is read. */
function isChunked({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.some((name, index) => index % 2 === 0 && /^transfer-encoding$/i.test(name))
}
