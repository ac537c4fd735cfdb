import { setTimeout as pause } from 'node:timers/promises'
import { type Client, status } from '@grpc/grpc-js'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { CallContext } from '../../calls/call-context.ts'
import type { ServiceSecrets } from '../access/service-secret.ts'
import { isRead } from '../method-kinds.ts'
import { serviceError } from '../status.ts'
import { type CallStream, openCallStream } from './client-stream.ts'

export interface StreamPoolOptions {
  /** Resolves when the client has a connection; rejects when there is none by `deadline`. */
  readonly connected: (deadline: number) => Promise<void>
  /**
   * How long a stream is used for new calls, in milliseconds. Shorter than the servers' grace period for old
   * connections (10 s) minus the longest call (5 s), so that no call is cut off.
   */
  readonly renewMilliseconds: number
  /** Identify this process as one of Mint's own whenever a stream opens. */
  readonly secrets: ServiceSecrets
}

/** Pause between two attempts to get a stream, in milliseconds. */
const PAUSE_MILLISECONDS = 20
/** How many servers are used, with one stream to each. */
const MAX_STREAMS = 32
/** After this many connections without an announcement, none are tried until the next renewal. */
const MAX_FAILURES = 3

/**
 * Streams to all servers behind one channel, one to each. grpc-js puts each new stream on its next connection
 * (round_robin), so streams are opened until a server turns up for the second time. While there are calls, all streams
 * are renewed every few seconds, which finds servers that were added. A broken stream is abandoned at once.
 */
export function createStreamPool(client: Client, { connected, renewMilliseconds, secrets }: StreamPoolOptions) {
  /** Replaced, never modified. */
  let streams: readonly CallStream[] = []
  let arrival = Promise.withResolvers<void>()
  let turn = 0
  let hasCalls = false
  let isClosed = false

  /** Uses a stream for no more calls; those in progress are still answered. */
  function leave(stream: CallStream): void {
    streams = streams.filter((one) => one !== stream)
    stream.retire()
  }

  /** Uses a stream instead of the one to the same server. */
  function use(stream: CallStream): void {
    const earlier = streams.find(({ server }) => server === stream.server)
    if (earlier) leave(earlier)
    streams = [...streams, stream]
    arrival.resolve()
    arrival = Promise.withResolvers()
  }

  const renewing = sharingRuns(async () => {
    // While none arrives, what waited for the one before would stay in memory.
    arrival = Promise.withResolvers()
    const former = streams
    const found = new Set<string>()
    for (let failures = 0; failures < MAX_FAILURES && found.size < MAX_STREAMS; ) {
      try {
        const stream = await openCallStream(client, { secrets, onUnusable: leave })
        if (isClosed || found.has(stream.server)) {
          stream.retire()
          break
        }
        found.add(stream.server)
        use(stream)
      } catch (error) {
        failures += 1
        if (found.size === 0 && failures === MAX_FAILURES) throw error
      }
    }
    former.forEach(leave)
  })

  const timer = setInterval(() => {
    if (hasCalls) renewing.join().catch(() => {})
    else streams.forEach(leave)
    hasCalls = false
  }, renewMilliseconds).unref()

  return {
    /** Resolves when there is a stream; rejects with grpc-js's error when there is none by `deadline`. */
    async connected(deadline: number) {
      hasCalls = true
      while (streams.length === 0) {
        await connected(deadline)
        try {
          // Before `arrival` is read, which a new search replaces.
          const search = renewing.join()
          // The first stream is enough; the search for others continues.
          await Promise.race([arrival.promise, search])
        } catch (error) {
          if (Date.now() + PAUSE_MILLISECONDS >= deadline) throw error
          await pause(PAUSE_MILLISECONDS)
        }
      }
    },
    /**
     * Sends a read to the server with the fewest calls in progress, and a write to the one that appends to the log:
     * spread over all servers, writes would form several smaller batches that race each other. While no server
     * announces that it appends, any of them takes writes. Rejects like CallStream.send.
     */
    send(method: string, request: Uint8Array, context: CallContext, deadline: number) {
      const appending = isRead(method) ? undefined : streams.find((stream) => stream.appends())
      const stream = appending ?? leastBusyOf(streams, turn++)
      if (stream === undefined) return Promise.reject(serviceError(status.UNAVAILABLE, 'The connection is lost.'))
      return stream.send(method, request, context, deadline)
    },
    close() {
      isClosed = true
      clearInterval(timer)
      streams.forEach(leave)
    },
  }
}

/** The stream with the fewest calls in progress, ties in rotation; undefined when there is none. */
function leastBusyOf(streams: readonly CallStream[], turn: number): CallStream | undefined {
  let best: CallStream | undefined
  for (let index = 0; index < streams.length; index++) {
    const stream = streams[(turn + index) % streams.length]
    if (stream && (best === undefined || stream.inProgress() < best.inProgress())) best = stream
  }
  return best
}
