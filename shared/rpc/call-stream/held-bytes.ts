/** The bytes that a server's streams hold in memory, bounded per stream and in total. */
export type HeldBytes = ReturnType<typeof createHeldBytes>

/** Limits in bytes. */
export interface HeldBytesLimits {
  readonly perStream: number
  /** Beyond this, the stream that holds the most is given up. */
  readonly altogether: number
}

interface Holder {
  bytes: number
  readonly giveUp: () => void
}

/** Creates the count, with nothing held yet. */
export function createHeldBytes({ perStream, altogether }: HeldBytesLimits) {
  const holders = new Set<Holder>()
  let total = 0

  function close(holder: Holder): void {
    if (holders.delete(holder)) total -= holder.bytes
  }

  function giveUp(holder: Holder): void {
    close(holder)
    holder.giveUp()
  }

  return {
    /**
     * Registers a stream that holds nothing yet. `giveUp` is called once if it holds too much; it then counts no more.
     */
    open(whenTooMuch: () => void) {
      const holder: Holder = { bytes: 0, giveUp: whenTooMuch }
      holders.add(holder)
      return {
        /** Sets how many bytes it holds now. */
        set(bytes: number): void {
          if (!holders.has(holder)) return
          total += bytes - holder.bytes
          holder.bytes = bytes
          if (bytes > perStream) giveUp(holder)
          while (total > altogether) giveUp(largestOf(holders))
        },
        close: () => close(holder),
      }
    },
  }
}

function largestOf(holders: ReadonlySet<Holder>): Holder {
  return [...holders].reduce((largest, holder) => (holder.bytes > largest.bytes ? holder : largest))
}
