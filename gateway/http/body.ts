import type { IncomingMessage, ServerResponse } from 'node:http'
import { CALLER_LEFT } from '../../shared/calls/errors.ts'
import { parseJson } from '../../shared/fields/exact-number.ts'
import { grouped } from '../../shared/fields/rule.ts'
import { ProblemError } from '../problem.ts'

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Maximum size of a JSON body, in bytes. */
export const MAX_BODY_BYTES = 102_400
/** Maximum size of a file, in bytes. */
const MAX_FILE_BYTES = 10_000_000
/** For a chunked body, until it is known whether the endpoint takes one. */
const EARLY_BYTES = 8_192

/** In how many pieces a body may arrive: parsing each takes as long as copying thousands of bytes. */
const maxPieces = (maxBytes: number): number => 5_000 + Math.floor(maxBytes / 500)

/** Rejects invalid UTF-8. Carries no state from one body to the next. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** A body that is being read. */
export interface ArrivingBody {
  readonly bytes: Promise<Uint8Array>
  /** Continues to read, up to this many bytes. */
  allow(maxBytes: number): void
}

interface BodyToRead {
  readonly milliseconds: number
  readonly arriving: ArrivingBody | undefined
}

/** Reads a JSON body, to be parsed by parseBody. Throws payload_too_large, request_timeout, or CALLER_LEFT. */
export function readJsonBody(res: ServerResponse, body: BodyToRead): Promise<Uint8Array> {
  return readWithin(MAX_BODY_BYTES, res, body)
}

/** Parses a JSON body: see parseJson. Throws malformed_json. */
export function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseJson(UTF_8.decode(bytes))
  } catch (cause) {
    const [, line, column] = IN_JSON.exec((cause as Error).message) ?? []
    const detail = `The body is not valid JSON at line ${line}, column ${column}. Send one complete JSON object.`
    throw new ProblemError('malformed_json', { cause, ...(line !== undefined && { detail }) })
  }
}

/** Where Node’s parser found the error, if it says so; what else it says can quote the body. */
const IN_JSON = /\(line (\d+) column (\d+)\)$/

/** How many bytes a JSON body can have: its Content-Length, or the limit if it has none. Throws payload_too_large. */
export const jsonBytes = (req: IncomingMessage): number => bytesAllowed(req, MAX_BODY_BYTES)

/** How many bytes a file can have: its Content-Length, or the limit if it has none. Throws payload_too_large. */
export const fileBytes = (req: IncomingMessage): number => bytesAllowed(req, MAX_FILE_BYTES)

function bytesAllowed({ headers }: IncomingMessage, max: number): number {
  const length = Number(headers['content-length'] ?? 0)
  if (length > max) throw tooLarge(max)
  return headers['transfer-encoding'] === undefined ? length : max
}

/** Reads a body that is a file. Throws payload_too_large, request_timeout, or CALLER_LEFT. */
export function readFileBody(res: ServerResponse, body: BodyToRead): Promise<Uint8Array> {
  return readWithin(MAX_FILE_BYTES, res, body)
}

async function readWithin(
  maxBytes: number,
  res: ServerResponse,
  { milliseconds, arriving }: BodyToRead,
): Promise<Uint8Array> {
  const { req } = res
  if (req.headers.expect !== undefined) res.writeContinue()
  const reading = arriving ?? readBytes(req, milliseconds)
  reading.allow(maxBytes)
  return await reading.bytes
}

/** Starts to read a chunked body at once, before small chunks pile up in memory. undefined: it isn't chunked. */
export function beginReading(req: IncomingMessage, milliseconds: number): ArrivingBody | undefined {
  if (req.headers['transfer-encoding'] === undefined) return undefined
  const reading = readBytes(req, milliseconds)
  // Awaited by readWithin if the endpoint takes a body; silences the unhandled-rejection warning if not.
  reading.bytes.catch(() => undefined)
  // From now on Node delivers each piece as it is parsed, and buffers none.
  req.read(0)
  return reading
}

/** Stops reading a request. Pausing its connection isn't enough: once its stream is empty, `_read` would resume it. */
export function stopReading(req: IncomingMessage): void {
  req._read = () => undefined
  req.socket.pause()
}

function continueReading(req: IncomingMessage): void {
  Reflect.deleteProperty(req, '_read')
  req.socket.resume()
}

/**
 * Reads up to EARLY_BYTES, then pauses until another limit is set. Chunks are copied together at once: even one of a
 * single byte takes hundreds while it is kept. What they are copied to never has more bytes than the request may have,
 * which it is charged.
 */
function readBytes(req: IncomingMessage, milliseconds: number): ArrivingBody {
  const { promise: bytes, resolve, reject } = Promise.withResolvers<Uint8Array>()
  let body = Buffer.alloc(0)
  let [length, pieces] = [0, 0]
  let limit: number | undefined
  let isWaiting = false
  const startTimer = () => setTimeout(() => fail(new ProblemError('request_timeout')), milliseconds)
  const settle = (): void => {
    clearTimeout(timer)
    isWaiting = false
    req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
  }
  const fail = (error: Error): void => {
    settle()
    req.on('error', () => undefined).on('data', () => undefined)
    reject(error)
  }
  const checkLimit = (): void => {
    const most = limit ?? EARLY_BYTES
    if (length <= most && pieces <= maxPieces(most)) return
    if (limit === undefined) {
      isWaiting = true
      // From here on, the caller waits for the gateway.
      clearTimeout(timer)
      stopReading(req)
    } else fail(length > limit ? tooLarge(limit) : inTooManyPieces(limit))
  }
  const onData = (chunk: Buffer): void => {
    const end = length + chunk.length
    if (end > body.length) {
      // Beyond EARLY_BYTES, only what arrived together is still to come before the pause.
      const most = limit ?? (end > EARLY_BYTES ? MAX_FILE_BYTES : EARLY_BYTES)
      body = Buffer.concat([body], Math.max(end, Math.min(2 * body.length, bytesAllowed(req, most))))
    }
    chunk.copy(body, length)
    length = end
    pieces++
    checkLimit()
  }
  const onEnd = (): void => {
    settle()
    resolve(body.subarray(0, length))
  }
  const onClose = (): void => fail(CALLER_LEFT)
  let timer = startTimer()
  req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  return {
    bytes,
    allow(maxBytes) {
      limit = maxBytes
      if (isWaiting) {
        timer = startTimer()
        continueReading(req)
      }
      checkLimit()
    },
  }
}

const tooLarge = (maxBytes: number): ProblemError =>
  new ProblemError('payload_too_large', {
    detail: `The body has more than ${grouped(maxBytes)} bytes. Send a smaller one.`,
  })

const inTooManyPieces = (maxBytes: number): ProblemError =>
  new ProblemError('payload_too_large', {
    detail: `The body arrived in more than ${grouped(maxPieces(maxBytes))} pieces. Send it in fewer, larger ones.`,
  })
