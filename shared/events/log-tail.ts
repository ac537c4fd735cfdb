import { setTimeout as delay } from 'node:timers/promises'

/** The shortest time between two reads of the log's head, however much is appended. */
const PAUSE_MILLISECONDS = 5
/** How long a caller rests for each of its waits that ends. With hundreds on a busy log, it gets more events, less often. */
const REST_MILLISECONDS = 5
const PAUSE_AFTER_FAILURE_MILLISECONDS = 250

export interface Wait {
  /** Rests are per caller, so that the waits of one don't delay those of others. */
  readonly caller: string
  readonly milliseconds: number
  readonly signal?: AbortSignal
}

/**
 * Lets any number of followers wait for new events of a log. `readHead` returns the log's last position; it may wait up to
 * `milliseconds` for a new one. It is only called while callers wait, once for all of them.
 */
export function createLogTail(readHead: (milliseconds: number) => Promise<number>) {
  const waiting = new Set<{
    readonly position: number
    readonly caller: string
    readonly settle: (isBeyond: boolean) => void
  }>()
  /** When the rest of each caller ends. */
  const restsUntil = new Map<string, number>()
  let head = 0
  let isWatching = false

  const restOf = (caller: string): number => Math.max(0, (restsUntil.get(caller) ?? 0) - performance.now())
  const behind = () => [...waiting].filter(({ position }) => position < head)
  /** Counts waits of a caller that end now. */
  const count = (caller: string, waits = 1): unknown =>
    restsUntil.set(caller, performance.now() + restOf(caller) + REST_MILLISECONDS * waits)

  async function watch(): Promise<void> {
    isWatching = true
    while (waiting.size > 0) {
      // Callers with new events get them as soon as they have rested, whether or not more are appended.
      const rest = Math.min(...behind().map(({ caller }) => restOf(caller)))
      // Callers learn of a failure when they read.
      const last = await readHead(rest).catch(() => undefined)
      head = last ?? 0
      for (const [caller, own] of Map.groupBy(behind(), (one) => one.caller)) {
        if (restOf(caller) > 0) continue
        count(caller, own.length)
        for (const { settle } of own) settle(true)
      }
      await delay(last === undefined ? PAUSE_AFTER_FAILURE_MILLISECONDS : PAUSE_MILLISECONDS)
    }
    isWatching = false
    for (const caller of restsUntil.keys()) if (restOf(caller) === 0) restsUntil.delete(caller)
  }

  async function afterRest({ caller, milliseconds, signal }: Wait): Promise<boolean> {
    await delay(Math.min(restOf(caller), milliseconds), undefined, { signal }).catch(() => undefined)
    if (signal?.aborted) return false
    count(caller)
    return true
  }

  return {
    /** How many events there are after a position, as of the last read of the head. */
    eventsAfter: (position: number): number => head - position,
    /**
     * Whether a caller must rest before it reads on: on a busy log, there are always more events, so it would never wait.
     * If not, this counts as a wait that ends.
     */
    mustRest(caller: string): boolean {
      if (restOf(caller) > 0) return true
      count(caller)
      return false
    },
    /** Resolves with true once the log has events after a position, with false when aborted or after the given time. */
    beyond(position: number, wait: Wait): Promise<boolean> {
      const { caller, milliseconds, signal } = wait
      if (signal?.aborted) return Promise.resolve(false)
      // The read in progress may wait for events that come after these.
      if (isWatching && position < head) return afterRest(wait)
      return new Promise((resolve) => {
        const settle = (isBeyond: boolean): void => {
          waiting.delete(one)
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          resolve(isBeyond)
        }
        const giveUp = () => settle(false)
        const one = { position, caller, settle }
        const timer = setTimeout(giveUp, milliseconds)
        signal?.addEventListener('abort', giveUp)
        waiting.add(one)
        if (!isWatching) void watch()
      })
    },
  }
}
