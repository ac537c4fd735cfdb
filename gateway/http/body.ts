import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../../shared/fields/exact-number.ts'
import { grouped } from '../../shared/fields/rule.ts'
import { ProblemError } from '../problem.ts'
import { RequestAborted } from './leaving.ts'

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** How much of a body is read. */
interface BodyLimit {
  readonly bytes: number
  /** Even a piece of one byte takes hundreds of bytes of memory until it is merged with others. */
  readonly pieces: number
}

/** Maximum size of a JSON body, in bytes. */
export const MAX_BODY_BYTES = 102_400
const JSON_LIMIT: BodyLimit = { bytes: MAX_BODY_BYTES, pieces: 5_000 }
/** For a chunked body, until it is known whether the endpoint takes one. */
const EARLY_LIMIT: BodyLimit = { bytes: 8_192, pieces: 500 }
const FILE_LIMIT: BodyLimit = { bytes: 10_000_000, pieces: 25_000 }
const PIECES_PER_BLOCK = 64

/** Rejects invalid UTF-8. Carries no state from one body to the next. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** A body that is being read. */
export interface ArrivingBody {
  readonly bytes: Promise<Uint8Array>
  /** Continues to read, up to this limit. */
  allow(limit: BodyLimit): void
}

interface BodyToRead {
  readonly milliseconds: number
  readonly arriving: ArrivingBody | undefined
}

/** Parses a JSON body. Throws payload_too_large, malformed_json, request_timeout, or RequestAborted. */
export async function readJson(res: ServerResponse, body: BodyToRead): Promise<unknown> {
  const bytes = await readWithin(JSON_LIMIT, res, body)
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

/** Throws payload_too_large if the Content-Length of a file exceeds the limit. */
export function checkFileLength({ headers }: IncomingMessage): void {
  checkLength(headers, FILE_LIMIT)
}

/** How many bytes a JSON body can have: its Content-Length, or the limit if it has none. */
export const jsonBytes = (req: IncomingMessage): number => bytesAllowed(req, JSON_LIMIT)

/** The same for a file. */
export const fileBytes = (req: IncomingMessage): number => bytesAllowed(req, FILE_LIMIT)

function bytesAllowed({ headers }: IncomingMessage, { bytes }: BodyLimit): number {
  return headers['transfer-encoding'] === undefined ? Math.min(bytes, Number(headers['content-length'] ?? 0)) : bytes
}

function checkLength(headers: IncomingMessage['headers'], limit: BodyLimit): void {
  if (Number(headers['content-length'] ?? 0) > limit.bytes) throw tooLarge(limit)
}

/** Reads a body that is a file. Throws payload_too_large, request_timeout, or RequestAborted. */
export function readFileBody(res: ServerResponse, body: BodyToRead): Promise<Uint8Array> {
  return readWithin(FILE_LIMIT, res, body)
}

async function readWithin(
  limit: BodyLimit,
  res: ServerResponse,
  { milliseconds, arriving }: BodyToRead,
): Promise<Uint8Array> {
  const { req } = res
  checkLength(req.headers, limit)
  if (req.headers.expect !== undefined) res.writeContinue()
  const reading = arriving ?? readBytes(req, milliseconds)
  reading.allow(limit)
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

/** Reads up to EARLY_LIMIT, then pauses until another limit is set. */
function readBytes(req: IncomingMessage, milliseconds: number): ArrivingBody {
  const { promise: bytes, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const blocks: Buffer[] = []
  let latest: Buffer[] = []
  let [length, pieces] = [0, 0]
  let limit: BodyLimit | undefined
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
    const { bytes, pieces: maxPieces } = limit ?? EARLY_LIMIT
    if (length <= bytes && pieces <= maxPieces) return
    if (limit === undefined) {
      isWaiting = true
      // From here on, the caller waits for the gateway.
      clearTimeout(timer)
      req.socket.pause()
    } else fail(tooLarge(limit, pieces))
  }
  const onData = (chunk: Buffer): void => {
    length += chunk.length
    pieces += 1
    if (latest.push(chunk) === PIECES_PER_BLOCK) {
      blocks.push(Buffer.concat(latest))
      latest = []
    }
    checkLimit()
  }
  const onEnd = (): void => {
    settle()
    const [only, ...more] = [...blocks, ...latest]
    resolve(only && more.length === 0 ? only : Buffer.concat([...blocks, ...latest]))
  }
  const onClose = (): void => fail(new RequestAborted('the caller disconnected'))
  let timer = startTimer()
  req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  return {
    bytes,
    allow(given) {
      limit = given
      if (isWaiting) {
        timer = startTimer()
        req.socket.resume()
      }
      checkLimit()
    },
  }
}

function tooLarge({ bytes, pieces: maxPieces }: BodyLimit, pieces = 0): ProblemError {
  const detail =
    pieces > maxPieces
      ? `The body arrived in more than ${maxPieces} pieces. Send it in fewer, larger ones.`
      : `The body has more than ${grouped(bytes)} bytes. Send a smaller one.`
  return new ProblemError('payload_too_large', { detail })
}
