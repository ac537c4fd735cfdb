/** The approximate size of a frame; a longer message has a frame to itself. */
const FRAME_BYTES = 64 * 1024
/** Approximate size of a message without its payload. */
const OVERHEAD_BYTES = 100
/** Backpressure: while the other side hasn't taken this many written bytes, the rest waits. */
const MAX_WRITTEN_BYTES = 256 * 1024

/** A message to send. It is queued by identity: don't send the same object twice. */
export interface Message {
  readonly payload: Uint8Array
}

/**
 * Collects what is sent in one turn of the event loop and writes it in frames, which makes many short messages cheap.
 * `write` calls `taken` once the frame has left. Bytes are counted here, because a gRPC stream counts only messages.
 */
export function createFrameSender<M extends Message>(write: (messages: M[], taken: () => void) => void) {
  const queue = new Set<M>()
  let writtenBytes = 0
  let isScheduled = false
  let onEmpty: (() => void) | undefined

  function takeFrame(): M[] {
    const messages: M[] = []
    let room = FRAME_BYTES
    for (const message of queue) {
      const bytes = message.payload.length + OVERHEAD_BYTES
      if (messages.length > 0 && bytes > room) break
      messages.push(message)
      queue.delete(message)
      room -= bytes
    }
    return messages
  }

  function writeFrame(): void {
    const messages = takeFrame()
    const bytes = messages.reduce((sum, { payload }) => sum + payload.length + OVERHEAD_BYTES, 0)
    writtenBytes += bytes
    write(messages, () => {
      writtenBytes -= bytes
      if (queue.size > 0) schedule()
    })
  }

  function flush(): void {
    isScheduled = false
    while (queue.size > 0 && writtenBytes < MAX_WRITTEN_BYTES) writeFrame()
    if (queue.size === 0) onEmpty?.()
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(flush)
  }

  return {
    send(message: M): void {
      queue.add(message)
      schedule()
    },
    /** Removes a message that is no longer needed, unless it has been written. */
    drop: (message: M) => queue.delete(message),
    /** Drops everything not yet written, for a stream that has ended. */
    clear: () => queue.clear(),
    /** Calls `then` once everything has been written; send nothing afterwards. */
    finish(then: () => void): void {
      onEmpty = then
      schedule()
    },
  }
}
