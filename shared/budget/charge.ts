/** Memory that a caller holds; in use until it is released. */
export interface Charge {
  /** Changes how much is held. Returns false, and changes nothing, if there is no room for that much more. */
  resize(bytes: number): boolean
  /** From now on it isn't revoked for others. */
  keep(): void
  /** Harmless when called again. */
  release(): void
}

/**
 * A node in a ring of charges that can be revoked, in the order in which they began. The holder's own node is between
 * the latest and the oldest. No Set, as one that grows and shrinks with each request leaves tables behind that keep the
 * memory of answered requests alive (a third fewer GETs a second).
 */
export class RevocableNode {
  previous: RevocableNode = this
  next: RevocableNode = this

  insertBefore(node: RevocableNode): void {
    this.previous = node.previous
    this.next = node
    node.previous.next = this
    node.previous = this
  }

  unlink(): void {
    this.previous.next = this.next
    this.next.previous = this.previous
    this.previous = this
    this.next = this
  }

  /** Releases the charge, and ends what holds the memory. */
  revoke(): void {}
}

/** Who holds memory. */
export interface Holder {
  held: number
  readonly revocable: RevocableNode
}

/** What charges need of their pool. */
export interface ChargedPool {
  readonly each: number
  fits(holder: Holder, bytes: number): boolean
  add(holder: Holder, bytes: number): void
}

/** A class, as one is made for each request: objects with closures take twice the time. */
export class PoolCharge extends RevocableNode implements Charge {
  readonly #pool: ChargedPool
  readonly #holder: Holder
  #bytes = 0
  #isHeld = true
  readonly #end: (() => void) | undefined

  constructor(pool: ChargedPool, holder: Holder, bytes: number, revoke: (() => void) | undefined) {
    super()
    this.#pool = pool
    this.#holder = holder
    this.#end = revoke
    if (revoke) this.insertBefore(holder.revocable)
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
    this.unlink()
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.unlink()
    this.#set(0)
  }

  override revoke(): void {
    this.release()
    this.#end?.()
  }
}
