import type { CallStream } from './client-stream.ts'

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
    /** Sends a stream no more calls; those in progress are still answered. */
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
