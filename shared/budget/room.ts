import type { ChargedPool, Holder } from './charge.ts'

export interface PoolOptions {
  /** What all callers may hold together. */
  readonly bytes: number
  /** What one caller may hold. */
  readonly each: number
}

/** A charge up to this size may use the reserve of a pool, so that reading one record never waits for long lists. */
export const SMALL_BYTES = 128 * 1024
/** The reserve, as a part of the pool. */
const RESERVE = 1 / 8

/** How much of a pool is held, and what still fits. */
export interface Room extends ChargedPool {
  /** Whether the holder may hold this many more bytes. */
  fitsOwn(holder: Holder, bytes: number): boolean
  /** Whether the pool has this many bytes left. */
  fitsPool(bytes: number): boolean
  held(): number
}

/** Creates an empty room. `onRelease` is called after each release. */
export function createRoom({ bytes: total, each }: PoolOptions, onRelease: () => void): Room {
  let held = 0
  const fitsOwn = (holder: Holder, bytes: number): boolean => holder.held + bytes <= each
  const fitsPool = (bytes: number): boolean => held + bytes <= (bytes > SMALL_BYTES ? total * (1 - RESERVE) : total)
  return {
    each,
    fitsOwn,
    fitsPool,
    fits: (holder, bytes) => fitsOwn(holder, bytes) && fitsPool(bytes),
    held: () => held,
    add(holder, bytes) {
      holder.held += bytes
      held += bytes
      if (bytes < 0) onRelease()
    },
  }
}
