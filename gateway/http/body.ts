import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../../shared/fields/exact-number.ts'
import { ProblemError } from '../problem.ts'

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Maximum size of a body, in bytes. */
export const MAX_BODY_BYTES = 102_400
/** Maximum number of pieces: even one of a single byte takes hundreds of bytes until it is merged with others. */
const MAX_PIECES = 5_000
const PIECES_TOGETHER = 64

/** Rejects invalid UTF-8. Carries no state from one body to the next. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** The caller disconnected before the body was complete: there is nobody to answer. */
export class RequestAborted extends Error {}

/** Parses a JSON body. Throws payload_too_large, malformed_json, request_timeout, or RequestAborted. */
export async function readJson(
  res: ServerResponse,
  { milliseconds, arriving }: { readonly milliseconds: number; readonly arriving: Promise<Uint8Array> | undefined },
): Promise<unknown> {
  const { req } = res
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new ProblemError('payload_too_large')
  if (req.headers.expect !== undefined) res.writeContinue()
  const bytes = await (arriving ?? readBytes(req, milliseconds))
  try {
    return parseJson(UTF_8.decode(bytes))
  } catch (cause) {
    throw new ProblemError('malformed_json', { cause })
  }
}

const TOO_MANY_PIECES = `The body arrived in more than ${MAX_PIECES} pieces. Send it in fewer, larger ones.`

/** Starts to read a chunked body at once, before small chunks pile up in memory. undefined: it isn't chunked. */
export function beginReading(req: IncomingMessage, milliseconds: number): Promise<Uint8Array> | undefined {
  if (req.headers['transfer-encoding'] === undefined) return undefined
  const reading = readBytes(req, milliseconds)
  // Awaited by readJson if the endpoint takes a body; silences the unhandled-rejection warning if not.
  reading.catch(() => undefined)
  // From now on Node delivers each piece as it is parsed, and buffers none.
  req.read(0)
  return reading
}

function readBytes(req: IncomingMessage, milliseconds: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let pieces = 0
    const settle = (): void => {
      clearTimeout(timer)
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    const fail = (error: Error): void => {
      settle()
      req.on('error', () => undefined).on('data', () => undefined)
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length > MAX_BODY_BYTES) fail(new ProblemError('payload_too_large'))
      else if (++pieces > MAX_PIECES) fail(new ProblemError('payload_too_large', { detail: TOO_MANY_PIECES }))
      else if (chunks.push(chunk) === PIECES_TOGETHER) chunks.splice(0, PIECES_TOGETHER, Buffer.concat(chunks))
    }
    const onEnd = (): void => {
      settle()
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    }
    const onClose = (): void => fail(new RequestAborted('the caller disconnected'))
    const timer = setTimeout(() => fail(new ProblemError('request_timeout')), milliseconds)
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}
