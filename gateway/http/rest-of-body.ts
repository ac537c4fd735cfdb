import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody, MAX_BODY_BYTES, stopReading } from './body.ts'

/** How long a caller has to finish sending, or to receive the answer, before the connection is closed. */
const LINGER_MILLISECONDS = 2_000

/**
 * Call it before writing the headers of an answer. The rest of a small body is read and discarded, so that the
 * connection can be reused; for a longer body, or one of unknown length, the connection is closed once the answer is
 * out.
 */
export function dropRestOfBody(res: ServerResponse): void {
  const { req } = res
  if (req.complete || !hasBody(req)) return
  // A caller still waiting for 100 Continue sends no body: the connection can be closed at once.
  if (req.headers.expect !== undefined && !req.readableDidRead) res.shouldKeepAlive = false
  else if (isSmall(req)) {
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MILLISECONDS)
    req.once('close', () => clearTimeout(timer))
  } else cut(res)
}

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= MAX_BODY_BYTES

function cut(res: ServerResponse): void {
  const { req } = res
  const { socket } = req
  res.shouldKeepAlive = false
  // Discards what has already arrived, then stops reading.
  req.removeAllListeners('data').resume()
  const stop = (): unknown => setImmediate(() => stopReading(req))
  stop()
  // Node calls it when the answer is out. Closing at once would lose the answer for a caller that is still sending.
  socket.destroySoon = () => {
    stop()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
    socket.once('close', () => clearTimeout(timer))
  }
}
