import type { Charge } from './charge.ts'
import { type Holder, type Room, SMALL_BYTES } from './room.ts'

interface Waiting {
  readonly holder: Holder
  readonly bytes: number
  /** Makes the charge, once there is room. */
  charge(): Charge
}

interface WaitLimits {
  readonly milliseconds: number
  /** Ends the wait, with the signal's reason, when the caller has left. */
  readonly signal?: AbortSignal | undefined
  /** Makes the error for a caller that has waited too long. */
  refuse(): Error
}

/** Creates the list of callers waiting for room. */
export function createWaitingList({ fitsOwn, fitsPool }: Room) {
  const waiting = new Map<Waiting, (charge: Charge) => void>()
  let isServing = false

  /** Serves those that hold least first, and each caller's in order. */
  function serve(): void {
    isServing = false
    const byNeed = [...waiting].sort(([one], [other]) => one.holder.held - other.holder.held)
    const full = new Set<Holder>()
    let isBlocked = false
    for (const [one, grant] of byNeed) {
      if (!waiting.has(one)) continue
      // Otherwise, those after it would take the room that the blocked one needs, piece by piece.
      if ((isBlocked || full.has(one.holder)) && one.bytes > SMALL_BYTES) continue
      if (!fitsOwn(one.holder, one.bytes)) full.add(one.holder)
      else if (fitsPool(one.bytes)) grant(one.charge())
      else isBlocked = true
    }
  }

  /** Serves the list once for all that is released in a turn of the event loop. */
  function serveSoon(): void {
    if (waiting.size === 0 || isServing) return
    isServing = true
    setImmediate(serve)
  }

  return {
    isEmpty: () => waiting.size === 0,
    holders: () => new Set([...waiting.keys()].map(({ holder }) => holder)),
    serve,
    serveSoon,
    add(one: Waiting, { milliseconds, signal, refuse }: WaitLimits): Promise<Charge> {
      const { promise, resolve, reject } = Promise.withResolvers<Charge>()
      const end = (): void => {
        waiting.delete(one)
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const giveUp = (error: unknown): void => {
        end()
        reject(error)
        // It may have blocked others, who fit now.
        serveSoon()
      }
      const leave = (): void => giveUp(signal?.reason)
      const timer = setTimeout(() => giveUp(refuse()), milliseconds)
      signal?.addEventListener('abort', leave)
      waiting.set(one, (charge) => {
        end()
        resolve(charge)
      })
      return promise
    },
  }
}
