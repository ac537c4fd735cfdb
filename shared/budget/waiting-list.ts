import type { Charge, Holder } from './charge.ts'
import { type Room, SMALL } from './room.ts'

interface Waiting {
  readonly holder: Holder
  readonly bytes: number
  /** Makes the charge, once there is room. */
  charge(): Charge
}

/** How long somebody waits. */
interface Patience {
  readonly milliseconds: number
  /** Aborted when whoever waits has left, which ends the waiting with its reason. */
  readonly signal?: AbortSignal | undefined
  /** The error for whoever has waited too long. */
  refuse(): Error
}

/** Those who wait for room. */
export function createWaitingList({ fitsOwn, fitsPool }: Room) {
  const waiting = new Map<Waiting, (charge: Charge) => void>()
  let isServing = false

  /** Serves whoever holds least first. */
  function serve(): void {
    isServing = false
    const byNeed = [...waiting].sort(([one], [other]) => one.holder.held - other.holder.held)
    let isBlocked = false
    for (const [one, grant] of byNeed) {
      if (!waiting.has(one) || !fitsOwn(one.holder, one.bytes)) continue
      // Otherwise those who hold more would take the room for which it waits, piece by piece.
      if (isBlocked && one.bytes > SMALL) continue
      if (fitsPool(one.bytes)) grant(one.charge())
      else isBlocked = true
    }
  }

  return {
    isEmpty: () => waiting.size === 0,
    holders: () => new Set([...waiting.keys()].map(({ holder }) => holder)),
    serve,
    /** Serves those who wait, once for all that is released in a turn of the event loop. */
    serveSoon(): void {
      if (waiting.size === 0 || isServing) return
      isServing = true
      setImmediate(serve)
    },
    add(one: Waiting, { milliseconds, signal, refuse }: Patience): Promise<Charge> {
      const { promise, resolve, reject } = Promise.withResolvers<Charge>()
      const end = (): void => {
        waiting.delete(one)
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const leave = (): void => {
        end()
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        end()
        reject(refuse())
      }, milliseconds)
      signal?.addEventListener('abort', leave)
      waiting.set(one, (charge) => {
        end()
        resolve(charge)
      })
      return promise
    },
  }
}
