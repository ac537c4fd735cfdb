import { once } from 'node:events'
import { connect, type OutgoingHttpHeaders } from 'node:http2'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { framed, openCall } from '../support/raw-grpc.ts'

/** Calls over one HTTP/2 connection. */
export interface Streams {
  /** `package.Service/Method`. */
  readonly method: string
  /** An encoded request. */
  readonly message: Uint8Array
  readonly count: number
  readonly headers?: (stream: number) => OutgoingHttpHeaders
  /** Whether the caller grants an unlimited window, without having to read; otherwise 64 KB for all calls. */
  readonly isWide?: boolean
  /** Whether the requests stay open. */
  readonly isOpen?: boolean
}

const MAX_WINDOW = 2 ** 31 - 1

/**
 * Records the bytes that a client sends for these calls, for replay on any number of connections: thousands of real
 * clients would need more memory than the Mint that they attack.
 */
export async function recordStreams(streams: Streams): Promise<Buffer> {
  const chunks: Buffer[] = []
  const wire = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  const session = connect('http://mint', {
    createConnection: () => wire,
    ...(streams.isWide && { settings: { initialWindowSize: MAX_WINDOW } }),
  })
  session.on('error', () => undefined)
  await once(session, 'connect')
  if (streams.isWide) session.setLocalWindowSize(MAX_WINDOW)
  for (let stream = 0; stream < streams.count; stream++) {
    const call = openCall(session, `/${streams.method}`, streams.headers?.(stream))
    call.write(framed(streams.message))
    if (!streams.isOpen) call.end()
  }
  await quiet(chunks)
  // Stops recording here: closing the session is not part of it.
  const recorded = Buffer.concat(chunks)
  session.destroy()
  return recorded
}

/** Waits until nothing has arrived for a few turns of the event loop. */
async function quiet(chunks: readonly Buffer[]): Promise<void> {
  for (let [turns, before] = [0, -1]; turns < 20; turns++) {
    if (chunks.length !== before) [turns, before] = [0, chunks.length]
    await nextTurn()
  }
}
