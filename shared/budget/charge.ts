import type { Holder, Room } from './room.ts'

/** Memory charged to a caller until it is released. */
export interface Charge {
  /** Changes the amount. Returns false, and changes nothing, if there is no room for the difference. */
  resize(bytes: number): boolean
  /** Makes the charge irrevocable. */
  keep(): void
  /** May be called more than once. */
  release(): void
}

/** A class, because one is created for each request: objects with closures take twice as long. */
export class PoolCharge implements Charge {
  readonly #room: Room
  readonly #holder: Holder
  #bytes = 0
  #isHeld = true
  readonly #end: (() => void) | undefined

  /** `end`: makes the charge revocable, and ends whatever holds the memory. */
  constructor(room: Room, holder: Holder, bytes: number, end: (() => void) | undefined) {
    this.#room = room
    this.#holder = holder
    this.#end = end
    if (end) holder.revocable.push(this)
    this.#set(bytes)
  }

  #set(bytes: number): void {
    this.#room.add(this.#holder, bytes - this.#bytes)
    this.#bytes = bytes
  }

  resize(wanted: number): boolean {
    const bytes = Math.min(wanted, this.#room.each)
    if (!this.#isHeld) return false
    if (bytes > this.#bytes && !this.#room.fits(this.#holder, bytes - this.#bytes)) return false
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
