import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody, MAX_BODY_BYTES } from './body.ts'

/** How long a caller has to finish what he sends, or to take his answer, before his connection is closed. */
const LINGER_MILLISECONDS = 2_000

/**
 * To be called before the headers of an answer are written. The rest of a small body is read and dropped, so that the
 * connection can go on; for anything longer, or of unknown length, it is closed once the answer is out.
 */
export function dropRestOfBody(res: ServerResponse): void {
  const { req } = res
  if (req.complete || !hasBody(req)) return
  // One who waits to be asked for his body sends none, so that the connection can be closed at once.
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
  // What has come already is dropped, then no more is read.
  req.resume()
  const stopReading = (): unknown => setImmediate(() => socket.pause())
  stopReading()
  // Node calls it when the answer is out. Closing at once would take the answer from a caller who still sends.
  socket.destroySoon = () => {
    stopReading()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
    socket.once('close', () => clearTimeout(timer))
  }
}
