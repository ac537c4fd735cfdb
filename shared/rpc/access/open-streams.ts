import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2'
import type { Share } from '../../budget/pool.ts'
import { CodedError } from '../../calls/errors.ts'

/** How much of a message may arrive before it is read. */
const WINDOW_BYTES = 32 * 1024
/** Limits a stream before its caller is known; HTTP/2 itself refuses longer headers. */
export const STREAM_SETTINGS = { maxHeaderListSize: 16 * 1024, initialWindowSize: WINDOW_BYTES }
/** The memory of an open stream: up to 17 KB of objects and 22 KB of headers, as measured, and its window. */
const STREAM_BYTES = 64 * 1024
/** Until a message is decoded, it is in memory both in pieces and as a whole. */
const COPIES = 2
/** In how many pieces a message may arrive: each is an object until the message is complete. */
const maxPieces = (bytes: number): number => 1_000 + bytes / 500
/** How many streams may be open on a connection whose caller is unknown. */
const MAX_UNKNOWN_STREAMS = 10

/** A stream that is charged to its caller. */
export type OpenStream = ReturnType<typeof openStream>

/**
 * Charges a stream, and what has arrived of its message, to its caller until it is closed. Until `keep` is called, it
 * is closed if others need the memory. Throws rate_limited. `onTooMuch` is called when there is no room for the rest of
 * the message.
 */
export function openStream(stream: ServerHttp2Stream, share: Share, onTooMuch: (error: CodedError) => void) {
  const charge = share.take(STREAM_BYTES, () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM))
  if (charge === undefined) throw new CodedError('rate_limited', TOO_MUCH_OPEN)
  let [arrived, pieces] = [0, 0]
  const count = ({ length }: Buffer): void => {
    arrived += length
    pieces++
    if (pieces > maxPieces(arrived)) onTooMuch(new CodedError('rate_limited', IN_TOO_MANY_PIECES))
    else if (!charge.resize(STREAM_BYTES + beyondWindow(COPIES * arrived))) {
      onTooMuch(new CodedError('rate_limited', TOO_MUCH_OPEN))
    }
  }
  stream.on('data', count).once('close', () => charge.release())
  // It may have been closed while its key was read from the log.
  if (stream.destroyed) charge.release()
  return {
    /** A message is complete. */
    decoded(): void {
      charge.resize(STREAM_BYTES + beyondWindow(arrived))
      arrived = 0
      pieces = 0
    },
    /** The call is carried out now: it is no longer closed to make room for others. */
    keep: () => charge.keep(),
    /** Ends the charge before the stream ends. */
    release(): void {
      stream.off('data', count)
      charge.release()
    },
  }
}

const beyondWindow = (bytes: number): number => Math.max(0, bytes - WINDOW_BYTES)

/** Stands for Mint's own processes among the owners of connections. */
export const OWN_PROCESS = Symbol('one of Mint’s own processes')

/** Whose connections these are: of the principal of a valid key that was shown on it, or of one of Mint's processes. */
export type KnownSessions = WeakMap<Http2Session, string | typeof OWN_PROCESS>

/** Limits the streams of all other connections. */
export function createStreamLimit(known: KnownSessions) {
  const open = new WeakMap<Http2Session, number>()
  return {
    /** Records whose key, or that the proof, was shown on the stream's connection. */
    recognize({ session }: ServerHttp2Stream, owner: string | typeof OWN_PROCESS): void {
      if (session) known.set(session, owner)
    },
    /** Counts a stream. Throws rate_limited if its connection isn't recognized and has too many. */
    count(stream: ServerHttp2Stream): void {
      const { session } = stream
      if (!session || known.has(session)) return
      const others = open.get(session) ?? 0
      if (others >= MAX_UNKNOWN_STREAMS) throw new CodedError('rate_limited', TOO_MANY_STREAMS)
      open.set(session, others + 1)
      stream.once('close', () => open.set(session, (open.get(session) ?? 1) - 1))
    },
  }
}

const TOO_MUCH_OPEN = 'Too many calls are open for the server’s memory. End some of them, or read their answers.'
const IN_TOO_MANY_PIECES = 'The message arrived in too many pieces. Send it in fewer, larger frames.'
const TOO_MANY_STREAMS = `Without a valid API key, at most ${MAX_UNKNOWN_STREAMS} calls are open at once on a connection.`
