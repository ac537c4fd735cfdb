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

/** A stream that is charged to its caller. */
export type OpenStream = NonNullable<ReturnType<typeof openStream>>

/**
 * Charges a stream, and later what has arrived of its message, to its caller until it is closed. Until `keep` is called,
 * it is closed if others need the memory. undefined: there is no room for it.
 */
export function openStream(stream: ServerHttp2Stream, share: Share) {
  const charge = share.take(STREAM_BYTES, () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM))
  if (charge === undefined) return undefined
  let [arrived, pieces] = [0, 0]
  stream.once('close', () => charge.release())
  // It may have been closed while its key was read from the log.
  if (stream.destroyed) charge.release()
  return {
    /** From now on, charges what arrives, too. `onTooMuch` is called when there is no room for the rest of a message. */
    countMessage(onTooMuch: (error: CodedError) => void): void {
      stream.on('data', ({ length }: Buffer) => {
        arrived += length
        pieces++
        if (pieces > maxPieces(arrived)) onTooMuch(IN_TOO_MANY_PIECES)
        else if (!charge.resize(STREAM_BYTES + beyondWindow(COPIES * arrived))) {
          onTooMuch(TOO_MUCH_OPEN)
        }
      })
    },
    /** A message is complete. */
    decoded(): void {
      charge.resize(STREAM_BYTES + beyondWindow(arrived))
      arrived = 0
      pieces = 0
    },
    /** The call is carried out now: it is no longer closed to make room for others. */
    keep: () => charge.keep(),
    /** Ends the charge before the stream ends. */
    release: () => charge.release(),
  }
}

const beyondWindow = (bytes: number): number => Math.max(0, bytes - WINDOW_BYTES)

/** Whose connections these are: of the principal whose valid key was presented on it, or of one of Mint's processes. */
export type KnownSessions = WeakMap<Http2Session, string>

/** Stands for Mint's own processes among the owners of connections. */
export const OWN_PROCESS = 'own-process'

/** How many calls may be open on a connection before and after its caller is known; HTTP/2 itself holds back the rest. */
export const MAX_STREAMS = { unknown: 10, known: 100 }

/** Connections on which several keys were presented, as behind a proxy. */
const shared = new WeakSet<Http2Session>()

/** Records whose key was presented on the stream's connection, or that it is one of Mint's own processes. */
export function recognize({ session }: ServerHttp2Stream, owner: string, known: KnownSessions): void {
  if (session === undefined) return
  const before = known.get(session)
  if (before === undefined) allowStreams(session, MAX_STREAMS.known)
  else if (before !== owner) shared.add(session)
  known.set(session, owner)
}

const heldBack = new WeakSet<Http2Session>()

/**
 * Allows one call at a time, for a second or two, on a connection whose caller has no room for more: HTTP/2 itself holds
 * back the others, or refuses them before any of our code runs. Refusing 9,000 calls one by one, which their caller sent
 * again at once, took all turns. Not on a connection that other callers use, too: `caller` is undefined without a key.
 */
export function holdBack({ session }: ServerHttp2Stream, caller: string | undefined, known: KnownSessions): void {
  if (session === undefined || heldBack.has(session)) return
  if (shared.has(session) || known.get(session) !== caller) return
  heldBack.add(session)
  allowStreams(session, 1)
  // Not all at the same moment.
  setTimeout(release, HOLD_MILLISECONDS * (1 + Math.random()), session, known).unref()
}

function release(session: Http2Session, known: KnownSessions): void {
  heldBack.delete(session)
  allowStreams(session, known.has(session) ? MAX_STREAMS.known : MAX_STREAMS.unknown)
}

function allowStreams(session: Http2Session, maxConcurrentStreams: number): void {
  if (!session.destroyed) session.settings({ maxConcurrentStreams })
}

/** How long a connection is held back at least, in milliseconds. */
const HOLD_MILLISECONDS = 1_000

/** Its caller has no share left for another call. */
export const TOO_MUCH_OPEN = new CodedError(
  'rate_limited',
  'Too many calls are open for the server’s memory. End some of them, or read their answers.',
)
const IN_TOO_MANY_PIECES = new CodedError(
  'rate_limited',
  'The message arrived in too many pieces. Send it in fewer, larger frames.',
)
