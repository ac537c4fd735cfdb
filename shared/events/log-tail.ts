import { setTimeout as delay } from 'node:timers/promises'

/** The least time between two looks at a log's end, in milliseconds, however much is appended. */
const PAUSE = 5
/** How much longer it is for each who is called: hundreds who follow a busy log get more at a time, less often. */
const PAUSE_FOR_EACH = 5
/** After a failure. */
const LONG_PAUSE = 250

/**
 * Lets any number of followers wait for a log to go on. `reach` answers the log's last position; it may wait a while for
 * one that it has not answered before. It is called only while somebody waits, for all of them together.
 */
export function createLogTail(reach: () => Promise<number>) {
  const waiting = new Set<{ readonly position: number; readonly call: (isBeyond: boolean) => void }>()
  let isWatching = false

  async function watch(): Promise<void> {
    isWatching = true
    while (waiting.size > 0) {
      // Whoever waits finds out about a failure when he reads.
      const last = await reach().catch(() => undefined)
      const due = [...waiting].filter(({ position }) => last !== undefined && position < last)
      for (const { call } of due) call(true)
      await delay(last === undefined ? LONG_PAUSE : PAUSE + PAUSE_FOR_EACH * due.length)
    }
    isWatching = false
  }

  return {
    /** Resolves with true once the log has gone beyond a position; with false when aborted, or after so long. */
    beyond(position: number, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
      if (signal?.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const call = (isBeyond: boolean): void => {
          waiting.delete(one)
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          resolve(isBeyond)
        }
        const giveUp = () => call(false)
        const one = { position, call }
        const timer = setTimeout(giveUp, milliseconds)
        signal?.addEventListener('abort', giveUp)
        waiting.add(one)
        if (!isWatching) void watch()
      })
    },
  }
}
