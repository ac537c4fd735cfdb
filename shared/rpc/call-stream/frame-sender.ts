/** About so many bytes go into one frame; what waits longer than one frame takes goes in several. */
const FRAME_BYTES = 64 * 1024
/** A longer message is cut into parts of this size, so that short ones needn't wait for all of it. */
const PART_BYTES = 16 * 1024
/** What a part takes beside its payload, roughly. */
const OVERHEAD_BYTES = 100

/** Something to send that may be too long for one part. */
export interface Message<Part> {
  readonly payload: Buffer
  /** Wraps a piece of the payload, when it is about to go. */
  toPart(piece: Buffer, position: { readonly isFirst: boolean; readonly more: boolean }): Part
}

export interface FrameSender<Part> {
  send(message: Message<Part>): void
  /** Takes back a message that nobody waits for any more. One that was begun goes on to its end. */
  drop(message: Message<Part>): void
  /** Bytes of the messages that have not been written to their end. */
  waitingBytes(): number
  /** Forgets all that was not written, for a stream that has ended. */
  clear(): void
  /** To be called when the stream takes more again. */
  drained(): void
  /** Calls `onEmpty` once everything has been written; nothing may be sent after it. */
  finish(onEmpty: () => void): void
}

/** The messages that wait, in the order of their turns, and how many bytes of each were sent. */
type Queue<Part> = Map<Message<Part>, number>

/**
 * Collects what is sent in one turn of the event loop and writes it in one frame, which is what makes many short
 * messages cheap. Long messages take turns with the others, a part each. `write` answers false when the stream is full:
 * everything then waits for `drained`.
 */
export function createFrameSender<Part>(write: (parts: Part[]) => boolean): FrameSender<Part> {
  const queue: Queue<Part> = new Map()
  let waitingBytes = 0
  let isScheduled = false
  let isFull = false
  let onEmpty: (() => void) | undefined

  function flush(): void {
    isScheduled = false
    while (queue.size > 0 && !isFull) {
      const { parts, bytes } = takeFrame(queue)
      waitingBytes -= bytes
      isFull = !write(parts)
    }
    if (queue.size === 0) onEmpty?.()
  }

  function schedule(): void {
    if (isScheduled || isFull) return
    isScheduled = true
    setImmediate(flush)
  }

  return {
    send(message) {
      queue.set(message, 0)
      waitingBytes += message.payload.length
      schedule()
    },
    drop(message) {
      if (queue.get(message) !== 0) return
      queue.delete(message)
      waitingBytes -= message.payload.length
    },
    waitingBytes: () => waitingBytes,
    clear() {
      queue.clear()
      waitingBytes = 0
    },
    drained() {
      isFull = false
      if (queue.size > 0 || onEmpty) schedule()
    },
    finish(then) {
      onEmpty = then
      schedule()
    },
  }
}

/** Takes one part of each that waits until the frame is full; what is left over goes behind those that had no turn. */
function takeFrame<Part>(queue: Queue<Part>): { readonly parts: Part[]; readonly bytes: number } {
  const parts: Part[] = []
  const unfinished: [Message<Part>, number][] = []
  let room = FRAME_BYTES
  let bytes = 0
  for (const [message, sent] of queue) {
    if (room <= 0) break
    const end = Math.min(sent + PART_BYTES, message.payload.length)
    const more = end < message.payload.length
    const piece = sent === 0 && !more ? message.payload : message.payload.subarray(sent, end)
    parts.push(message.toPart(piece, { isFirst: sent === 0, more }))
    queue.delete(message)
    if (more) unfinished.push([message, end])
    room -= end - sent + OVERHEAD_BYTES
    bytes += end - sent
  }
  for (const [message, sent] of unfinished) queue.set(message, sent)
  return { parts, bytes }
}
