import type { CallStream } from './client-stream.ts'

/** None yet. */
export function createUsableStreams() {
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
    /** The one with the fewest calls under way, of equals each in its turn; undefined: there is none. */
    leastBusy: () => leastBusyOf(streams, turn++),
    /** The one to the server that appends to the log, as far as any announces it; undefined: none does. */
    appending: () => streams.find((stream) => stream.appends()),
    /** Takes a stream in, in place of the one to the same server. */
    add(stream: CallStream) {
      for (const old of streams) if (old.server === stream.server) leave(old)
      streams = [...streams, stream]
      arrival.resolve()
      arrival = Promise.withResolvers()
    },
    /** Gives a stream no more calls; those under way are still answered. */
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
    if (stream && (best === undefined || stream.underWay() < best.underWay())) best = stream
  }
  return best
}
