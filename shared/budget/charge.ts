/** Memory that a caller holds; in use until it is released. */
export interface Charge {
  /** Changes how much is held. Returns false, and changes nothing, if there is no room for that much more. */
  resize(bytes: number): boolean
  /** From now on it isn't revoked for others. */
  keep(): void
  /** Harmless when called again. */
  release(): void
}

/** Who holds memory. */
export interface ChargedHolder {
  held: number
  readonly revocable: RevocableCharges
}

/** What a list of charges needs of each. */
interface RevocableCharge {
  previous: RevocableCharge | undefined
  next: RevocableCharge | undefined
  /** Releases it, and ends what it stands for. */
  revoke(): void
}

/**
 * Charges that can be revoked for others, in the order in which they began. A linked list, as a Set that grows and
 * shrinks with each request leaves tables behind that keep the memory of answered requests alive (a third fewer GETs a
 * second).
 */
export class RevocableCharges {
  first: RevocableCharge | undefined
  #last: RevocableCharge | undefined

  add(charge: RevocableCharge): void {
    charge.previous = this.#last
    if (this.#last) this.#last.next = charge
    else this.first = charge
    this.#last = charge
  }

  delete(charge: RevocableCharge): void {
    const { previous, next } = charge
    if (previous) previous.next = next
    else if (this.first === charge) this.first = next
    if (next) next.previous = previous
    else if (this.#last === charge) this.#last = previous
    charge.previous = undefined
    charge.next = undefined
  }
}

/** To revoke a smaller charge makes no difference to anybody. */
const WORTH_REVOKING = 32 * 1024

/** What charges need of their pool. */
export interface ChargedPool<Holder extends ChargedHolder> {
  readonly each: number
  fits(holder: Holder, bytes: number): boolean
  add(holder: Holder, bytes: number): void
}

/** A class, as one is made for each request: objects with closures take twice the time. */
export class PoolCharge<Holder extends ChargedHolder> implements Charge, RevocableCharge {
  readonly #pool: ChargedPool<Holder>
  readonly #holder: Holder
  #bytes = 0
  #isHeld = true
  #end: (() => void) | undefined
  #isListed = false
  previous: RevocableCharge | undefined
  next: RevocableCharge | undefined

  constructor(pool: ChargedPool<Holder>, holder: Holder, bytes: number, revoke: (() => void) | undefined) {
    this.#pool = pool
    this.#holder = holder
    this.#end = revoke
    this.#set(bytes)
  }

  #set(bytes: number): void {
    const more = bytes - this.#bytes
    this.#bytes = bytes
    if (this.#end !== undefined && bytes >= WORTH_REVOKING && !this.#isListed) {
      this.#isListed = true
      this.#holder.revocable.add(this)
    }
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
    this.#end = undefined
    this.#unlist()
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#unlist()
    this.#pool.add(this.#holder, -this.#bytes)
  }

  revoke(): void {
    this.release()
    this.#end?.()
  }

  #unlist(): void {
    if (this.#isListed) this.#holder.revocable.delete(this)
    this.#isListed = false
  }
}
