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

const GREETING_MILLISECONDS = 1_000
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
  const usable = createUsableStreams()
  const options = { greetingMilliseconds: GREETING_MILLISECONDS, secrets, onUnusable: usable.leave }
  let hasCalls = false
  let isClosed = false

  const renewing = sharingRuns(async () => {
    const former = usable.all()
    const found = new Set<string>()
    for (let failures = 0; found.size < MAX_STREAMS; ) {
      try {
        const stream = await openCallStream(client, options)
        if (isClosed || found.has(stream.server)) {
          stream.retire()
          break
        }
        found.add(stream.server)
        usable.add(stream)
      } catch (error) {
        failures++
        if (found.size === 0 && failures === MAX_FAILURES) throw error
        if (failures === MAX_FAILURES) break
      }
    }
    for (const old of former) usable.leave(old)
  })

  const timer = setInterval(() => {
    if (hasCalls) renewing.join().catch(() => {})
    else usable.leaveAll()
    hasCalls = false
  }, renewMilliseconds).unref()

  return {
    /** Resolves when there is a stream; rejects with grpc-js's error when there is none by `deadline`. */
    async connected(deadline: number) {
      hasCalls = true
      while (usable.all().length === 0) {
        await connected(deadline)
        try {
          // The first stream is enough; the search for others goes on.
          await Promise.race([usable.arrival(), renewing.join()])
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
      const stream = (isRead(method) ? undefined : usable.appending()) ?? usable.leastBusy()
      if (stream === undefined) return Promise.reject(serviceError(status.UNAVAILABLE, 'The connection is lost.'))
      return stream.send(method, request, context, deadline)
    },
    close() {
      isClosed = true
      clearInterval(timer)
      usable.leaveAll()
    },
  }
}

/** Creates an empty set. */
export function createUsableStreams() {
  // Replaced, never modified: arrays returned by `all` don't change.
  let streams: readonly CallStream[] = []
  let turn = 0
  let arrival = Promise.withResolvers<void>()

  function leave(stream: CallStream): void {
    streams = streams.filter((one) => one !== stream)
    stream.retire()
  }

  return {
    all: () => streams,
    /** The stream with the fewest calls in progress, ties in rotation; undefined when there is none. */
    leastBusy: () => leastBusyOf(streams, turn++),
    /** The stream to the server that announces that it appends to the log; undefined when none does. */
    appending: () => streams.find((stream) => stream.appends()),
    /** Adds a stream, replacing the one to the same server. */
    add(stream: CallStream) {
      for (const old of streams) if (old.server === stream.server) leave(old)
      streams = [...streams, stream]
      arrival.resolve()
      arrival = Promise.withResolvers()
    },
    /** Removes a stream: it gets no more calls; those in progress are still answered. */
    leave,
    leaveAll() {
      for (const stream of streams) leave(stream)
    },
    /** Resolves when the next stream is added. */
    arrival: () => arrival.promise,
  }
}

function leastBusyOf(streams: readonly CallStream[], turn: number): CallStream | undefined {
  let best: CallStream | undefined
  for (let index = 0; index < streams.length; index++) {
    const stream = streams[(turn + index) % streams.length]
    if (stream && (best === undefined || stream.inProgress() < best.inProgress())) best = stream
  }
  return best
}
