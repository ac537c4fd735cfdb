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
  /** How many messages have not been written to their end. */
  waiting(): number
  /** To be called when the stream takes more again. */
  drained(): void
  /** Calls `onEmpty` once everything has been written; nothing may be sent after it. */
  finish(onEmpty: () => void): void
}

interface Waiting<Part> {
  readonly message: Message<Part>
  sent: number
}

/**
 * Collects what is sent in one turn of the event loop and writes it in one frame, which is what makes many short
 * messages cheap. Long messages take turns with the others, a part each. `write` answers false when the stream is full:
 * everything then waits for `drained`.
 */
export function createFrameSender<Part>(write: (parts: Part[]) => boolean): FrameSender<Part> {
  let queue: Waiting<Part>[] = []
  let isScheduled = false
  let isFull = false
  let onEmpty: (() => void) | undefined

  function flush(): void {
    isScheduled = false
    while (queue.length > 0 && !isFull) {
      const { parts, rest } = nextFrame(queue)
      queue = rest
      isFull = !write(parts)
    }
    if (queue.length === 0) onEmpty?.()
  }

  function schedule(): void {
    if (isScheduled || isFull) return
    isScheduled = true
    setImmediate(flush)
  }

  return {
    send(message) {
      queue.push({ message, sent: 0 })
      schedule()
    },
    drop(message) {
      queue = queue.filter((waiting) => waiting.message !== message || waiting.sent > 0)
    },
    waiting: () => queue.length,
    drained() {
      isFull = false
      if (queue.length > 0 || onEmpty) schedule()
    },
    finish(then) {
      onEmpty = then
      schedule()
    },
  }
}

/** Takes one part of each that waits until the frame is full; what is left over goes behind those that had no turn. */
function nextFrame<Part>(queue: readonly Waiting<Part>[]): { parts: Part[]; rest: Waiting<Part>[] } {
  const parts: Part[] = []
  const unfinished: Waiting<Part>[] = []
  let room = FRAME_BYTES
  let taken = 0
  while (taken < queue.length && room > 0) {
    const waiting = queue[taken] as Waiting<Part>
    const { message, sent } = waiting
    const end = Math.min(sent + PART_BYTES, message.payload.length)
    const more = end < message.payload.length
    const piece = sent === 0 && !more ? message.payload : message.payload.subarray(sent, end)
    parts.push(message.toPart(piece, { isFirst: sent === 0, more }))
    if (more) unfinished.push({ message, sent: end })
    room -= end - sent + OVERHEAD_BYTES
    taken++
  }
  return { parts, rest: [...queue.slice(taken), ...unfinished] }
}
