import type { CallStream } from './client-stream.ts'

/** The streams that take calls, one to each server. */
export interface UsableStreams {
  all(): readonly CallStream[]
  /** The stream with the fewest calls in progress, ties in rotation; undefined when there is none. */
  leastBusy(): CallStream | undefined
  /** The stream to the server that announces that it appends to the log; undefined when none does. */
  appending(): CallStream | undefined
  /** Adds a stream, replacing the one to the same server. */
  add(stream: CallStream): void
  /** Sends a stream no more calls; those in progress are still answered. */
  leave(stream: CallStream): void
  leaveAll(): void
  /** Resolves when the next stream is added. */
  arrival(): Promise<void>
}

/** Creates an empty set. */
export function createUsableStreams(): UsableStreams {
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
    if (stream && (best === undefined || stream.inProgress() < best.inProgress())) best = stream
  }
  return best
}
