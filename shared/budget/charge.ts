/** Memory that a caller holds; in use until it is released. */
export interface Charge {
  /** Changes how much is held. Returns false, and changes nothing, if there is no room for that much more. */
  resize(bytes: number): boolean
  /** From now on it isn't dropped for others. */
  keep(): void
  /** Harmless when called again. */
  release(): void
}

/** Who holds memory. */
export interface ChargedHolder {
  held: number
  /** Charges that can be dropped for others, in the order in which they began. */
  readonly revocable: Set<DroppableCharge>
}

/** A charge that others may take the room of. */
export interface DroppableCharge {
  /** Releases it, and drops what it stands for. */
  drop(): void
}

/** To drop a smaller charge makes no difference to anybody. */
const WORTH_DROPPING = 32 * 1024

/** What charges need of their pool. */
export interface ChargedPool<Holder extends ChargedHolder> {
  readonly each: number
  fits(holder: Holder, bytes: number): boolean
  add(holder: Holder, bytes: number): void
}

/** A class, as one is made for each request: objects with closures take twice the time. */
export class PoolCharge<Holder extends ChargedHolder> implements Charge {
  readonly #pool: ChargedPool<Holder>
  readonly #holder: Holder
  #bytes = 0
  #isHeld = true
  #revoke: (() => void) | undefined

  constructor(pool: ChargedPool<Holder>, holder: Holder, bytes: number, revoke: (() => void) | undefined) {
    this.#pool = pool
    this.#holder = holder
    this.#revoke = revoke
    this.#set(bytes)
  }

  #set(bytes: number): void {
    const more = bytes - this.#bytes
    this.#bytes = bytes
    if (this.#revoke !== undefined && bytes >= WORTH_DROPPING) this.#holder.revocable.add(this)
    this.#pool.add(this.#holder, more)
  }

  resize(wanted: number): boolean {
    const bytes = Math.min(wanted, this.#pool.each)
    if (!this.#isHeld) return false
    if (bytes > this.#bytes && !this.#pool.fits(this.#holder, bytes - this.#bytes)) return false
    this.#set(bytes)
    return true
  }

  keep(): void {
    this.#revoke = undefined
    this.#holder.revocable.delete(this)
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    if (this.#revoke !== undefined) this.#holder.revocable.delete(this)
    this.#pool.add(this.#holder, -this.#bytes)
  }

  /** Releases it, and drops what it stands for. */
  drop(): void {
    this.release()
    this.#revoke?.()
  }
}
