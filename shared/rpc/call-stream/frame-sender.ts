/** The approximate size of a frame; a longer message has a frame to itself. */
const FRAME_BYTES = 64 * 1024
/** Approximate size of a message without its payload. With the longest, 2,500, servers still accept a full frame. */
const OVERHEAD_BYTES = 200

/** Collects what is sent in one turn of the event loop and writes it in frames: many short messages become cheap. */
export function createFrameSender<Message extends { readonly payload: Uint8Array }>(write: (frame: Message[]) => void) {
  let frame: Message[] = []
  let bytes = 0

  /** Writes what has been collected. */
  function flush(): void {
    const full = frame
    frame = []
    bytes = 0
    if (full.length > 0) write(full)
  }

  return {
    send(message: Message): void {
      const more = message.payload.length + OVERHEAD_BYTES
      if (bytes + more > FRAME_BYTES) flush()
      if (frame.length === 0) setImmediate(flush)
      frame.push(message)
      bytes += more
    },
    flush,
  }
}
