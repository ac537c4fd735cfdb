/** A part of a message that may come in several. */
export interface Part {
  readonly id: number
  readonly payload: Uint8Array
  readonly more: boolean
}

/** What a part made whole: nothing yet, the message, or one that is longer than allowed. */
export type Collected<P extends Part> =
  | { readonly type: 'incomplete' }
  | { readonly type: 'complete'; readonly first: P; readonly payload: Uint8Array }
  | { readonly type: 'too-long'; readonly first: P }

interface Collecting<P extends Part> {
  readonly first: P
  readonly overhead: number
  pieces: Uint8Array[]
  bytes: number
}

export interface PartCollector<P extends Part> {
  take(part: P): Collected<P>
  /** Bytes of the messages that are not complete yet, with what each takes beside its payload. */
  held(): number
  /** Forgets them. */
  clear(): void
}

/** What an incomplete message takes beside its payload and the rest of its first part, roughly. */
const OVERHEAD_BYTES = 1_000

/**
 * Puts messages together from their parts, each at most so many bytes long; `restOf` is how many bytes a first part has
 * beside its payload.
 */
export function createPartCollector<P extends Part>(
  maxBytes: number,
  restOf: (first: P) => number = () => 0,
): PartCollector<P> {
  const collecting = new Map<number, Collecting<P>>()
  let held = 0

  function take(part: P): Collected<P> {
    const { id, payload, more } = part
    const known = collecting.get(id)
    if (known === undefined && !more) {
      return payload.length > maxBytes ? { type: 'too-long', first: part } : { type: 'complete', first: part, payload }
    }
    const message = known ?? { first: part, overhead: OVERHEAD_BYTES + restOf(part), pieces: [], bytes: 0 }
    const before = known === undefined ? 0 : heldBy(message)
    message.bytes += payload.length
    // What is too long is read to its end, and kept no more.
    if (message.bytes > maxBytes) message.pieces = []
    else message.pieces.push(payload)
    if (more) {
      collecting.set(id, message)
      held += heldBy(message) - before
      return { type: 'incomplete' }
    }
    collecting.delete(id)
    held -= before
    const { first, pieces, bytes } = message
    return bytes > maxBytes ? { type: 'too-long', first } : { type: 'complete', first, payload: Buffer.concat(pieces) }
  }

  function heldBy({ bytes, overhead }: Collecting<P>): number {
    return (bytes > maxBytes ? 0 : bytes) + overhead
  }

  return {
    take,
    held: () => held,
    clear() {
      collecting.clear()
      held = 0
    },
  }
}
