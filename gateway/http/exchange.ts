import type { IncomingMessage } from 'node:http'
import { secretHashOf } from '../../shared/api-keys/serving/find-caller.ts'
import type { Charge } from '../../shared/budget/charge.ts'
import { newRequestId } from '../../shared/calls/ids.ts'
import { type Span, sampledParent, startSpan } from '../../shared/runtime/tracing/tracing.ts'
import { type ProblemCode, ProblemError } from '../problem.ts'
import type { Endpoint } from '../routes/endpoint.ts'
import type { ArrivingBody } from './body.ts'
import { checkEncoding, splitTarget } from './target.ts'

/** What is known about one request, from its first line to its answer. */
export interface Exchange {
  readonly requestId: string
  readonly method: string
  /** The path as the caller sent it, without the query. */
  readonly path: string
  /** With its leading `?`, or empty. */
  readonly query: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Of the secret in its Authorization header, if it has one. */
  readonly secretHash: string | undefined
  /** Headers of the answer, collected along the way. */
  readonly headers: Record<string, string>
  /** What is charged for it, until it is over. */
  readonly charges: Charge[]
  /** Whether an answer is being made, which can outlast the connection. */
  isInProgress: boolean
  /** Whether the answer is out, or the caller has left. */
  isClosed: boolean
  /** The template of its path, for example `/contracts/:id`; set once the request is routed. */
  route?: string
  /** Set once the request is routed. */
  endpoint?: Endpoint
  /** Its body, if it is read from the start. */
  arriving?: ArrivingBody | undefined
  /** Set once the request has been counted, against its key or its address. */
  counted?: boolean
  /** Set once the caller is accepted, if the request is sampled; ended when the exchange is over. */
  span?: Span | undefined
  /** Set when the answer is a problem. */
  problem?: ProblemCode
}

/** The first segment of its route, by which failures are grouped: `/contracts` for a list, a record, its history. */
export const resourceOf = ({ route = '' }: Exchange): string => /^\/[^/.]*/.exec(route)?.[0] ?? '(none)'

/** Adopts the caller's X-Request-Id if it is valid, else generates one. */
export function openExchange(req: IncomingMessage, clock: () => number): Exchange {
  const requestId = requestIdOf(req) ?? newRequestId()
  const { path, query } = splitTarget(req.url ?? '')
  return {
    requestId,
    method: req.method ?? '',
    path,
    query,
    startedAt: clock(),
    secretHash: secretHashOf(req.headers.authorization),
    headers: { 'X-Request-Id': requestId },
    charges: [],
    span: undefined,
    isInProgress: false,
    isClosed: false,
  }
}

/** Starts the span of a sampled request. Only for accepted callers: no others may have spans recorded. */
export function traceExchange(exchange: Exchange, { headers }: IncomingMessage): void {
  const parent = sampledParent(headers.traceparent as string | undefined)
  if (parent === undefined) return
  exchange.span = startSpan(`${exchange.method} ${exchange.route}`, { kind: 'server', parent })
}

/** Holds a charge until the exchange is over. */
export function chargeTo(exchange: Exchange, charge: Charge): void {
  exchange.charges.push(charge)
  releaseIfOver(exchange)
}

/** Releases the charges of an exchange once it is closed and not in progress: until then, all of it is in memory. */
export function releaseIfOver({ isClosed, isInProgress, charges }: Exchange): void {
  if (!isClosed || isInProgress) return
  for (const charge of charges) charge.release()
}

/** The caller's X-Request-Id, if it is valid. */
export function requestIdOf({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined
}

/** Runs the checks that precede routing. Throws the problem. */
export function checkTarget(req: IncomingMessage, { path, query }: Exchange): void {
  if (!VERSIONS.includes(req.httpVersion)) throw new ProblemError('malformed_request')
  // RFC 9112, section 3.2, requires a 400.
  const hosts = countHeader(req.rawHeaders, 'host')
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) {
    throw new ProblemError('malformed_request', { detail: 'The Host header is missing or given twice. Send it once.' })
  }
  // RFC 9112, section 7: with another coding, what arrives isn't the body.
  if (!/^(chunked)?$/i.test(req.headers['transfer-encoding'] ?? '')) {
    const detail = 'This Transfer-Encoding is unknown. Send the body as it is, with Content-Length or in chunks.'
    throw new ProblemError('malformed_request', { detail })
  }
  if (path.length + query.length > MAX_TARGET) {
    throw new ProblemError('request_too_large', {
      status: 414,
      detail: `The URL is longer than ${MAX_TARGET} bytes. Shorten it.`,
    })
  }
  if (req.rawHeaders.length > 2 * MAX_HEADERS) throw new ProblemError('request_too_large')
  checkEncoding(path, query)
}

/** How many times a header (in lower case) was sent: of most headers, Node silently drops all but the first. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count++
  }
  return count
}

/** Node's parser also accepts 0.9 and 2.0. */
const VERSIONS = ['1.0', '1.1']
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/
const MAX_TARGET = 8_192
/** Maximum number of headers in a request. */
export const MAX_HEADERS = 1_000
