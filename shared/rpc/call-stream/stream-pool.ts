import { setTimeout as pause } from 'node:timers/promises'
import { type Client, status } from '@grpc/grpc-js'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { CallContext } from '../../calls/call-context.ts'
import type { ServiceSecrets } from '../access/service-secret.ts'
import { isRead } from '../method-kinds.ts'
import { serviceError } from '../status.ts'
import { openCallStream } from './client-stream.ts'
import { createUsableStreams } from './usable-streams.ts'

export interface StreamPoolOptions {
  /** Resolves when the client has a connection, rejects when there is none by `deadline`. */
  readonly connected: (deadline: number) => Promise<void>
  /**
   * For how long a stream takes calls, in milliseconds. Shorter than what servers give old connections to end by
   * (10 s) less what a call may take (5 s): so none is cut off.
   */
  readonly renewMilliseconds: number
  /** Proves at each opening that this is one of Mint's own processes. */
  readonly secrets: ServiceSecrets
}

const GREETING_MILLISECONDS = 1_000
/** Between two tries to get a stream, in milliseconds. */
const PAUSE_MILLISECONDS = 20
/** No more servers than these are looked for. */
const MAX_STREAMS = 32
/** After so many connections without a greeting no further one is tried, until the next renewal. */
const MAX_FAILURES = 3

/**
 * Streams to all servers behind one channel, one to each. grpc-js gives each new stream the next of its connections
 * (round_robin): so streams are opened until a server greets for the second time. All are renewed every few seconds as
 * long as there are calls, which finds servers that came later. One that breaks is left at once.
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
          // The first stream will do: others may still be looked for.
          await Promise.race([usable.arrival(), renewing.join()])
        } catch (error) {
          if (Date.now() + PAUSE_MILLISECONDS >= deadline) throw error
          await pause(PAUSE_MILLISECONDS)
        }
      }
    },
    /**
     * Sends a read to the server that has the fewest calls under way, a write to the one that appends to the log: writes
     * that go into one batch there would be several batches, in each other's way, if all servers took their share. While
     * none announces that it appends, any server takes writes. Rejects as CallStream.send.
     */
    send(method: string, request: Uint8Array, context: CallContext, deadline: number) {
      const stream = (isRead(method) ? undefined : usable.appending()) ?? usable.leastBusy()
      if (stream === undefined) return Promise.reject(serviceError(status.UNAVAILABLE, 'The connection is gone.'))
      return stream.send(method, request, context, deadline)
    },
    close() {
      isClosed = true
      clearInterval(timer)
      usable.leaveAll()
    },
  }
}
