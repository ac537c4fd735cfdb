import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newRequestId } from '../../shared/calls/ids.ts'
import { STATUS_CODES } from '../../shared/runtime/http/node-http.ts'
import { ProblemError } from '../problem.ts'
import type { Connections } from './connections.ts'
import { problemJson } from './error-to-problem.ts'
import { requestIdOf } from './exchange.ts'

/** Answers what never becomes a request (not HTTP, too large, too slow, CONNECT), then closes the connection. */
export function answerConnectionErrors(server: Server, connections: Connections): void {
  const answered = new WeakSet<Duplex>()
  const answer = async (
    socket: Duplex,
    problem: ProblemError,
    path: string,
    requestId = newRequestId(),
  ): Promise<void> => {
    if (answered.has(socket)) return
    answered.add(socket)
    socket.on('error', () => socket.destroy())
    const exchanges = exchangesOf(connections, socket)
    // Earlier requests are answered first: callers match answers to requests by their order.
    const before = exchanges.filter((response) => response.req.complete && !response.closed)
    await Promise.all(before.map((response) => once(response, 'close')))
    const isAnswered = exchanges.some((response) => !response.req.complete && response.headersSent)
    if (!socket.writable) {
      socket.destroy()
      return
    }
    socket.end(isAnswered ? '' : rawAnswer(problem, path, requestId))
    // Destroying it now could lose the answer in flight; whatever the caller still sends is discarded meanwhile.
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref()
  }
  server.on('clientError', (error: ClientError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else answer(socket, problemOf(error), pathIn(error.rawPacket))
  })
  // The gateway offers no upgrades; a refused request claims to be one (see express-classes.ts).
  server.on('upgrade', (_, socket: Socket) => connections.refuse(socket))
  server.on('connect', (req, socket) => {
    answer(socket, new ProblemError('route_not_found'), req.url ?? '', requestIdOf(req))
  })
}

/** The response last served on a connection and those waiting behind it, in order. */
function exchangesOf(connections: Connections, socket: Duplex): readonly ServerResponse[] {
  const { current, waiting = [] } = connections.of(socket) ?? {}
  return [...(current ? [current] : []), ...waiting.map(({ res }) => res)]
}

const LINGER_MILLISECONDS = 1_000

/** The gateway's own limit on URLs: if the first line is longer, the URL was too long. */
const LONG_LINE = 8_192

interface ClientError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

function problemOf({ code, rawPacket }: ClientError): ProblemError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError('request_too_large', { status: isLongLine(rawPacket) ? 414 : 431 })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProblemError('request_timeout')
    default:
      return new ProblemError('malformed_request')
  }
}

function isLongLine(packet: Buffer | undefined): boolean {
  if (!packet || !/^[A-Z]+ /.test(packet.toString('latin1', 0, 16))) return false
  const end = packet.indexOf('\n')
  return end < 0 || end > LONG_LINE
}

/** The path in a request line, or '' if there is none. */
function pathIn(packet: Buffer | undefined): string {
  return /^[A-Z]+ (\/[\x21-\x3e\x40-\x7e]*)/.exec(packet?.toString('latin1', 0, LONG_LINE) ?? '')?.[1] ?? ''
}

function rawAnswer(problem: ProblemError, path: string, requestId: string): string {
  const body = problemJson(problem, { path, requestId })
  const headers = {
    ...problem.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`
}
