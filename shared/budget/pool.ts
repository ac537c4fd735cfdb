import { CodedError } from '../calls/errors.ts'
import { type Charge, PoolCharge } from './charge.ts'
import { createRoom, type Holder, type PoolOptions, type Room, SMALL_BYTES } from './room.ts'
import { createWaitingList } from './waiting-list.ts'

/** The part of a pool that one caller may hold. */
export interface Share {
  /** Charges bytes if there is room now. `revoke` is called to end whatever holds them when others need the room. */
  take(bytes: number, revoke?: () => void): Charge | undefined
  /** Waits for room. Throws `rate_limited` if there is none within this many milliseconds. */
  wait(bytes: number, milliseconds: number, options?: WaitOptions): Charge | Promise<Charge>
}

export interface WaitOptions {
  /** See Share.take. */
  readonly revoke?: (() => void) | undefined
  /** Returns a signal that aborts the wait when the caller has left. Only called if there is no room now. */
  readonly leaving?: (() => AbortSignal) | undefined
}

export type Pool = ReturnType<typeof createPool>

/** With more callers than this, those that hold nothing are dropped. */
const DROP_IDLE_ABOVE = 1_000

/**
 * Creates a pool of bytes shared by callers, none of whom holds more than `each`. When it is full, the caller that holds
 * least is served first, and may revoke the oldest charges of the one that holds most.
 */
export function createPool(options: PoolOptions) {
  const { each } = options
  const holders = new Map<string, Holder & { readonly share: Share }>()
  const room = createRoom(options, () => waiting.serveSoon())
  const waiting = createWaitingList(room)
  let refusals = 0

  function take(holder: Holder, bytes: number, revoke?: () => void): Charge | undefined {
    const needed = Math.min(bytes, each)
    // A large charge doesn't overtake those already waiting.
    if (needed > SMALL_BYTES && !waiting.isEmpty()) return undefined
    if (!room.fits(holder, needed)) makeRoom(room, holders, holder, needed)
    return room.fits(holder, needed) ? new PoolCharge(room, holder, needed, revoke) : undefined
  }

  function wait(
    holder: Holder,
    bytes: number,
    milliseconds: number,
    { revoke, leaving }: WaitOptions,
  ): Promise<Charge> {
    const signal = leaving?.()
    if (signal?.aborted) return Promise.reject(signal.reason)
    const needed = Math.min(bytes, each)
    const charge = () => new PoolCharge(room, holder, needed, revoke)
    const refuse = (): Error => {
      refusals += 1
      return memoryExceeded()
    }
    const granted = waiting.add({ holder, bytes: needed, charge }, { milliseconds, signal, refuse })
    makeRoom(room, holders, holder, needed)
    waiting.serve()
    return granted
  }

  /** The holder of this name, created again if it was dropped. */
  function holderOf(name: string): Holder & { readonly share: Share } {
    const known = holders.get(name)
    if (known !== undefined) return known
    if (holders.size >= DROP_IDLE_ABOVE) dropIdle(holders, waiting.holders())
    const share: Share = {
      take(bytes, revoke) {
        const charge = take(holderOf(name), bytes, revoke)
        if (charge === undefined) refusals += 1
        return charge
      },
      wait(bytes, milliseconds, options = {}) {
        const holder = holderOf(name)
        return take(holder, bytes, options.revoke) ?? wait(holder, bytes, milliseconds, options)
      },
    }
    const holder = { held: 0, revocable: [], share }
    holders.set(name, holder)
    return holder
  }

  return {
    /** The share of a caller. */
    of: (name: string): Share => holderOf(name).share,
    held: room.held,
    refusals: () => refusals,
  }
}

/** Revokes charges of the caller that holds most, as long as that is more than `holder` would then hold. */
function makeRoom(room: Room, holders: ReadonlyMap<string, Holder>, holder: Holder, bytes: number): void {
  while (room.fitsOwn(holder, bytes) && !room.fitsPool(bytes)) {
    let largest = holder
    for (const other of holders.values()) {
      if (other.revocable.length > 0 && other.held > largest.held) largest = other
    }
    if (largest.held <= holder.held + bytes) return
    largest.revocable[0]?.revoke()
  }
}

function dropIdle(holders: Map<string, Holder>, awaited: ReadonlySet<Holder>): void {
  for (const [name, holder] of holders) {
    if (holder.held === 0 && !awaited.has(holder)) holders.delete(name)
  }
}

/** The error for a caller that exceeds its share. */
export function memoryExceeded(): CodedError {
  return new CodedError(
    'rate_limited',
    'Your requests use as much memory as one caller may, or the server has none free. Read the answers to your other requests first, or request less at a time.',
  )
}
