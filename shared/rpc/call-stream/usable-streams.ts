import type { CallStream } from './client-stream.ts'

/** The streams that take calls, one to each server. */
export interface UsableStreams {
  all(): readonly CallStream[]
  /** The one with the fewest calls under way, of equals each in its turn; undefined: there is none. */
  leastBusy(): CallStream | undefined
  /** The one to the server that appends to the log, as far as any announces it; undefined: none does. */
  appending(): CallStream | undefined
  /** Takes a stream in, in place of the one to the same server. */
  add(stream: CallStream): void
  /** Gives a stream no more calls; those under way are still answered. */
  leave(stream: CallStream): void
  leaveAll(): void
  /** Resolves when the next stream is added. */
  arrival(): Promise<void>
}

/** None yet. */
export function createUsableStreams(): UsableStreams {
  // Never changed in place: what `all` answered stays as it was.
  let streams: readonly CallStream[] = []
  let turn = 0
  let arrival = Promise.withResolvers<void>()

  function leave(stream: CallStream): void {
    streams = streams.filter((one) => one !== stream)
    stream.retire()
  }

  return {
    all: () => streams,
    leastBusy: () => leastBusyOf(streams, turn++),
    appending: () => streams.find((stream) => stream.appends()),
    add(stream) {
      for (const old of streams) if (old.server === stream.server) leave(old)
      streams = [...streams, stream]
      arrival.resolve()
      arrival = Promise.withResolvers()
    },
    leave,
    leaveAll() {
      for (const stream of streams) leave(stream)
    },
    arrival: () => arrival.promise,
  }
}

function leastBusyOf(streams: readonly CallStream[], turn: number): CallStream | undefined {
  let best: CallStream | undefined
  for (let index = 0; index < streams.length; index++) {
    const stream = streams[(turn + index) % streams.length]
    if (stream && (best === undefined || stream.underWay() < best.underWay())) best = stream
  }
  return best
}
