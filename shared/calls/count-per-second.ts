import { LRUCache } from 'lru-cache'

/** How many callers are counted at a time. One with more addresses can evade the limit, but not exhaust memory. */
const MAX_COUNTED = 10_000
const WINDOW_MILLISECONDS = 1_000

/** Counts one call of a principal or an address. */
export type CountCall = ReturnType<typeof countPerSecond>

/** Counts the calls of each caller in this process, in windows of one second. */
export function countPerSecond(limit: number) {
  const windows = new LRUCache<string, { count: number; readonly endsAt: number }>({ max: MAX_COUNTED })
  return (caller: string): { readonly isRefused: boolean; readonly left: number } => {
    const now = performance.now()
    let window = windows.get(caller)
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + WINDOW_MILLISECONDS }
      windows.set(caller, window)
    }
    window.count += 1
    return { isRefused: window.count > limit, left: Math.max(0, limit - window.count) }
  }
}
