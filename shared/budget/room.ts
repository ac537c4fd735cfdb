import type { ChargedPool, Holder } from './charge.ts'

export interface PoolOptions {
  /** What all callers may hold together. */
  readonly bytes: number
  /** What one caller may hold. */
  readonly each: number
}

/**
 * A charge up to this size may use the last part of a pool: whoever needs one record never waits for those who need many.
 */
export const SMALL = 128 * 1024
/** That part, as a share of the pool. */
const RESERVED = 1 / 8

/** How much of a pool is held, and what still fits. */
export interface Room extends ChargedPool {
  /** Whether the holder may hold that many bytes more. */
  fitsOwn(holder: Holder, bytes: number): boolean
  /** Whether all together may. */
  fitsPool(bytes: number): boolean
  held(): number
}

/** Creates an empty room. `onRelease` is called after each release. */
export function createRoom({ bytes: total, each }: PoolOptions, onRelease: () => void): Room {
  let held = 0
  const fitsOwn = (holder: Holder, bytes: number): boolean => holder.held + bytes <= each
  const fitsPool = (bytes: number): boolean => held + bytes <= (bytes > SMALL ? total * (1 - RESERVED) : total)
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
