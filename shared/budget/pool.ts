import { CodedError } from '../calls/errors.ts'
import { type Charge, type ChargedPool, type Holder, PoolCharge, RevocableNode } from './charge.ts'

/** What one caller may hold. */
export interface Share {
  /** Charges bytes if there is room now. `revoke` ends what they stand for, if others need the room. */
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

export interface PoolOptions {
  /** What all callers may hold together. */
  readonly bytes: number
  /** What one caller may hold. */
  readonly each: number
}

/** Memory that callers share. */
export type Pool = ReturnType<typeof createPool>

/**
 * A charge up to this size may use the last part of a pool: whoever needs one record never waits for those who need many.
 */
const SMALL = 128 * 1024
/** That part, as a share of the pool. */
const RESERVED = 1 / 8
/** Callers who hold nothing are forgotten when there are more than that many. */
const MANY = 1_000

interface Waiting {
  readonly holder: Holder
  readonly bytes: number
  grant(): void
}

/**
 * Bytes shared by callers. Nobody holds more than `each`; when a pool is full, whoever holds least is served first, and
 * may displace what the one who holds most has held longest.
 */
export function createPool({ bytes: total, each }: PoolOptions) {
  const holders = new Map<string, Holder & { readonly share: Share }>()
  const waiting = new Set<Waiting>()
  let held = 0
  let refusals = 0
  let isServing = false

  const fitsOwn = (holder: Holder, bytes: number): boolean => holder.held + bytes <= each
  const fitsPool = (bytes: number): boolean => held + bytes <= (bytes > SMALL ? total * (1 - RESERVED) : total)
  const fits = (holder: Holder, bytes: number): boolean => fitsOwn(holder, bytes) && fitsPool(bytes)

  function add(holder: Holder, bytes: number): void {
    holder.held += bytes
    held += bytes
    if (bytes < 0 && waiting.size > 0 && !isServing) {
      isServing = true
      // Once for all that is released in a turn of the event loop.
      setImmediate(serveWaiting)
    }
  }

  const pool: ChargedPool = { each, fits, add }

  function serveWaiting(): void {
    isServing = false
    const byNeed = [...waiting].sort((one, other) => one.holder.held - other.holder.held)
    let isBlocked = false
    for (const one of byNeed) {
      if (!waiting.has(one) || !fitsOwn(one.holder, one.bytes)) continue
      // Otherwise those who hold more would take the room for which it waits, piece by piece.
      if (isBlocked && one.bytes > SMALL) continue
      if (fitsPool(one.bytes)) one.grant()
      else isBlocked = true
    }
  }

  /** Takes from whoever holds most, while that is more than `holder` would then hold. */
  function displace(holder: Holder, bytes: number): void {
    while (fitsOwn(holder, bytes) && !fitsPool(bytes)) {
      let largest = holder
      for (const other of holders.values()) {
        const { revocable, held } = other
        if (revocable.next !== revocable && held > largest.held) largest = other
      }
      if (largest.held <= holder.held + bytes) return
      largest.revocable.next.revoke()
    }
  }

  function take(holder: Holder, bytes: number, revoke?: () => void): Charge | undefined {
    const needed = Math.min(bytes, each)
    // Nobody who needs much overtakes those who wait already.
    if (waiting.size > 0 && needed > SMALL) return undefined
    if (!fits(holder, needed)) displace(holder, needed)
    return fits(holder, needed) ? new PoolCharge(pool, holder, needed, revoke) : undefined
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
    const { promise, resolve, reject } = Promise.withResolvers<Charge>()
    const end = (): void => {
      waiting.delete(one)
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const leave = (): void => {
      end()
      reject(signal?.reason)
    }
    const refuse = (): void => {
      end()
      refusals += 1
      reject(tooMuch())
    }
    const one: Waiting = {
      holder,
      bytes: needed,
      grant() {
        end()
        resolve(new PoolCharge(pool, holder, needed, revoke))
      },
    }
    const timer = setTimeout(refuse, milliseconds)
    signal?.addEventListener('abort', leave)
    waiting.add(one)
    displace(holder, needed)
    serveWaiting()
    return promise
  }

  /** Whoever was forgotten meanwhile is opened anew. */
  function holderOf(name: string): Holder & { readonly share: Share } {
    const known = holders.get(name)
    if (known !== undefined) return known
    if (holders.size >= MANY) forgetIdle()
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

  function forgetIdle(): void {
    const awaited = new Set([...waiting].map(({ holder }) => holder))
    for (const [name, holder] of holders) {
      if (holder.held === 0 && !awaited.has(holder)) holders.delete(name)
    }
  }

  return {
    /** The share of a caller. */
    of: (name: string): Share => holderOf(name).share,
    held: () => held,
    refusals: () => refusals,
  }
}

/** The error for whoever exceeds a share. */
export function tooMuch(): CodedError {
  return new CodedError(
    'rate_limited',
    'You hold as much memory as one caller may, or the server has none free. Read the answers that wait for you, or request less at a time.',
  )
}
