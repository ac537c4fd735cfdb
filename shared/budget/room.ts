/** A caller that holds memory. */
export interface Holder {
  held: number
  /**
   * Its revocable charges, oldest first. Not a Set: one that grows and shrinks with each request leaves tables behind that
   * keep answered requests in memory (a third fewer GETs a second).
   */
  readonly revocable: { revoke(): void }[]
}

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
export type Room = ReturnType<typeof createRoom>

/** Creates an empty room. `onRelease` is called after each release. */
export function createRoom({ bytes: total, each }: PoolOptions, onRelease: () => void) {
  let held = 0
  /** Whether the holder may hold this many more bytes. */
  const fitsOwn = (holder: Holder, bytes: number): boolean => holder.held + bytes <= each
  /** Whether the pool has this many bytes left. */
  const fitsPool = (bytes: number): boolean => held + bytes <= (bytes > SMALL_BYTES ? total * (1 - RESERVE) : total)
  return {
    each,
    fitsOwn,
    fitsPool,
    fits: (holder: Holder, bytes: number): boolean => fitsOwn(holder, bytes) && fitsPool(bytes),
    held: () => held,
    add(holder: Holder, bytes: number): void {
      holder.held += bytes
      held += bytes
      if (bytes < 0) onRelease()
    },
  }
}
