import { setTimeout as delay } from 'node:timers/promises'

/** The least time between two reads of a log's end, in milliseconds, however much is appended. */
const PAUSE = 5
/** How long a caller rests for each of its waits that ends: hundreds on a busy log get more at a time, less often. */
const REST_FOR_EACH = 5
/** After a failure. */
const LONG_PAUSE = 250

export interface Wait {
  /** Whose it is: nobody's waits make those of others longer. */
  readonly caller: string
  readonly milliseconds: number
  readonly signal?: AbortSignal
}

/**
 * Lets any number of followers wait for a log to go on. `reach` answers the log's last position; it may wait a while for
 * one that it has not answered before, but no longer than it is told. It is called only while somebody waits, for all of
 * them together.
 */
export function createLogTail(reach: (milliseconds: number) => Promise<number>) {
  const waiting = new Set<{
    readonly position: number
    readonly caller: string
    readonly call: (isBeyond: boolean) => void
  }>()
  /** Until when each caller rests. */
  const rests = new Map<string, number>()
  let reached = 0
  let isWatching = false

  const restOf = (caller: string): number => Math.max(0, (rests.get(caller) ?? 0) - performance.now())
  const behind = () => [...waiting].filter(({ position }) => position < reached)

  async function watch(): Promise<void> {
    isWatching = true
    while (waiting.size > 0) {
      // Those for whom there is more already get it as soon as they have rested, whether or not yet more comes.
      const rest = Math.min(...behind().map(({ caller }) => restOf(caller)))
      // Callers find out about a failure when they read.
      const last = await reach(rest).catch(() => undefined)
      reached = last ?? 0
      for (const [caller, own] of Map.groupBy(behind(), (one) => one.caller)) {
        if (restOf(caller) > 0) continue
        rests.set(caller, performance.now() + REST_FOR_EACH * own.length)
        for (const { call } of own) call(true)
      }
      await delay(last === undefined ? LONG_PAUSE : PAUSE)
    }
    isWatching = false
    for (const caller of rests.keys()) if (restOf(caller) === 0) rests.delete(caller)
  }

  return {
    /** How many events there are after a position, as far as known. */
    eventsAfter: (position: number): number => reached - position,
    /**
     * Whether a caller must wait before it reads on: on a busy log, there is always more, and it would never wait. If
     * not, that counts as a wait that ends.
     */
    mustRest(caller: string): boolean {
      if (restOf(caller) > 0) return true
      rests.set(caller, performance.now() + REST_FOR_EACH)
      return false
    },
    /** Resolves with true once the log has gone beyond a position; with false when aborted, or after so long. */
    beyond(position: number, { caller, milliseconds, signal }: Wait): Promise<boolean> {
      if (signal?.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const call = (isBeyond: boolean): void => {
          waiting.delete(one)
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          resolve(isBeyond)
        }
        const giveUp = () => call(false)
        const one = { position, caller, call }
        const timer = setTimeout(giveUp, milliseconds)
        signal?.addEventListener('abort', giveUp)
        waiting.add(one)
        if (!isWatching) void watch()
      })
    },
  }
}
