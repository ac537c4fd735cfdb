import { CodedError } from '../calls/errors.ts'
import { type Charge, type Holder, PoolCharge, RevocableNode } from './charge.ts'
import { createRoom, type PoolOptions, type Room, SMALL } from './room.ts'
import { createWaitingList } from './waiting-list.ts'

/** What one caller may hold. */
export interface Share {
  /** Charges bytes if there is room now. `revoke` ends what holds them, if others need the room. */
  take(bytes: number, revoke?: () => void): Charge | undefined
  /** Waits for room. Throws `rate_limited` when there is none in that many milliseconds. */
  wait(bytes: number, milliseconds: number, options?: WaitOptions): Charge | Promise<Charge>
}

export interface WaitOptions {
  /** See Share.take. */
  readonly revoke?: (() => void) | undefined
  /** Aborted when whoever waits has left, which ends the waiting with its reason. Called only if there is no room now. */
  readonly leaving?: (() => AbortSignal) | undefined
}

/** Memory that callers share. */
export type Pool = ReturnType<typeof createPool>

/** Callers who hold nothing are forgotten when there are more than that many. */
const MANY = 1_000

/**
 * Bytes shared by callers. Nobody holds more than `each`; when a pool is full, whoever holds least is served first, and
 * may displace what the one who holds most has held longest.
 */
export function createPool(options: PoolOptions) {
  const { each } = options
  const holders = new Map<string, Holder & { readonly share: Share }>()
  const room = createRoom(options, () => waiting.serveSoon())
  const waiting = createWaitingList(room)
  let refusals = 0

  function take(holder: Holder, bytes: number, revoke?: () => void): Charge | undefined {
    const needed = Math.min(bytes, each)
    // Nobody who needs much overtakes those who wait already.
    if (needed > SMALL && !waiting.isEmpty()) return undefined
    if (!room.fits(holder, needed)) displace(room, holders, holder, needed)
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
      return tooMuch()
    }
    const granted = waiting.add({ holder, bytes: needed, charge }, { milliseconds, signal, refuse })
    displace(room, holders, holder, needed)
    waiting.serve()
    return granted
  }

  /** Whoever was forgotten meanwhile is opened anew. */
  function holderOf(name: string): Holder & { readonly share: Share } {
    const known = holders.get(name)
    if (known !== undefined) return known
    if (holders.size >= MANY) forgetIdle(holders, waiting.holders())
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
    const holder = { held: 0, revocable: new RevocableNode(), share }
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

/** Takes from whoever holds most, while that is more than `holder` would then hold. */
function displace(room: Room, holders: ReadonlyMap<string, Holder>, holder: Holder, bytes: number): void {
  while (room.fitsOwn(holder, bytes) && !room.fitsPool(bytes)) {
    let largest = holder
    for (const other of holders.values()) {
      const { revocable, held } = other
      if (revocable.next !== revocable && held > largest.held) largest = other
    }
    if (largest.held <= holder.held + bytes) return
    largest.revocable.next.revoke()
  }
}

function forgetIdle(holders: Map<string, Holder>, awaited: ReadonlySet<Holder>): void {
  for (const [name, holder] of holders) {
    if (holder.held === 0 && !awaited.has(holder)) holders.delete(name)
  }
}

/** The error for whoever exceeds a share. */
export function tooMuch(): CodedError {
  return new CodedError(
    'rate_limited',
    'You hold as much memory as one caller may, or the server has none free. Read the answers that wait for you, or request less at a time.',
  )
}
