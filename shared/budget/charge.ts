/** Memory charged to a caller until it is released. */
export interface Charge {
  /** Changes the amount. Returns false, and changes nothing, if there is no room for the difference. */
  resize(bytes: number): boolean
  /** Makes the charge irrevocable. */
  keep(): void
  /** May be called more than once. */
  release(): void
}

/** A caller that holds memory. */
export interface Holder {
  held: number
  /**
   * Its revocable charges, oldest first. Not a Set: one that grows and shrinks with each request leaves tables behind that
   * keep answered requests in memory (a third fewer GETs a second).
   */
  readonly revocable: PoolCharge[]
}

/** A pool, as seen by its charges. */
export interface ChargedPool {
  /** What one caller may hold. */
  readonly each: number
  /** Whether the holder may hold this many more bytes, and the pool has them. */
  fits(holder: Holder, bytes: number): boolean
  add(holder: Holder, bytes: number): void
}

/** A class, because one is created for each request: objects with closures take twice as long. */
export class PoolCharge implements Charge {
  readonly #pool: ChargedPool
  readonly #holder: Holder
  #bytes = 0
  #isHeld = true
  readonly #end: (() => void) | undefined

  /** `end`: makes the charge revocable, and ends whatever holds the memory. */
  constructor(pool: ChargedPool, holder: Holder, bytes: number, end: (() => void) | undefined) {
    this.#pool = pool
    this.#holder = holder
    this.#end = end
    if (end) holder.revocable.push(this)
    this.#set(bytes)
  }

  #set(bytes: number): void {
    this.#pool.add(this.#holder, bytes - this.#bytes)
    this.#bytes = bytes
  }

  resize(wanted: number): boolean {
    const bytes = Math.min(wanted, this.#pool.each)
    if (!this.#isHeld) return false
    if (bytes > this.#bytes && !this.#pool.fits(this.#holder, bytes - this.#bytes)) return false
    this.#set(bytes)
    return true
  }

  keep(): void {
    const { revocable } = this.#holder
    // Requests that end are mostly the newest.
    const index = this.#end ? revocable.lastIndexOf(this) : -1
    if (index >= 0) revocable.splice(index, 1)
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.keep()
    this.#set(0)
  }

  revoke(): void {
    this.release()
    this.#end?.()
  }
}
