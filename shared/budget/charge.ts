/** Memory charged to a caller until it is released. */
export interface Charge {
  /** Changes the amount. Returns false, and changes nothing, if there is no room for the difference. */
  resize(bytes: number): boolean
  /** Makes the charge irrevocable. */
  keep(): void
  /** May be called more than once. */
  release(): void
}

/**
 * A node in a ring of revocable charges, oldest first. The holder's own node is between the newest and the oldest. Not a
 * Set: one that grows and shrinks with each request leaves tables behind that keep answered requests in memory (a third
 * fewer GETs a second).
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

  /** Releases the charge, and ends whatever holds the memory. */
  revoke(): void {}
}

/** A caller that holds memory. */
export interface Holder {
  held: number
  readonly revocable: RevocableNode
}

/** A pool, as seen by its charges. */
export interface ChargedPool {
  readonly each: number
  fits(holder: Holder, bytes: number): boolean
  add(holder: Holder, bytes: number): void
}

/** A class, because one is created for each request: objects with closures take twice as long. */
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
