/**
 * Starts work for a caller, now or in a later turn of the event loop, unless nobody waits for it any more by then. Settles
 * as the work does. `leaving` is only called if the work must wait.
 */
export type FairStart = <Result>(
  caller: string,
  work: () => Result | Promise<Result>,
  leaving?: () => AbortSignal,
) => Promise<Result>

/** The most that a caller's work takes of a turn of the event loop before the rest of it waits, in milliseconds. */
const SHARE = 2

/**
 * Starts the work of many callers in such a way that none fills the turns of the event loop. Every request needs several
 * turns, and in one turn Node would start all that has arrived: 300 connections of one caller whose requests take 3 ms
 * each, even to refuse them, kept everybody else's requests waiting for seconds. What exceeds a caller's share is started
 * in order in the following turns, a share in each: a simple form of deficit round robin (Shreedhar and Varghese, 1995).
 * How long work takes isn't known beforehand, so a caller can overrun its share once a turn; that isn't deducted later.
 */
export function createFairStarts(): FairStart {
  /** How much of this turn each caller has used, in milliseconds. */
  const used = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  /** Whose work began last, and when. All that runs until other work begins is counted as that caller's. */
  let running: { readonly caller: string; readonly since: number } | undefined
  let isScheduled = false

  const usedBy = (caller: string): number => used.get(caller) ?? 0

  function stopClock(): void {
    if (running) used.set(running.caller, usedBy(running.caller) + performance.now() - running.since)
    running = undefined
  }

  function begin(caller: string, work: () => void): void {
    schedule()
    running = { caller, since: performance.now() }
    work()
  }

  function schedule(): void {
    if (!isScheduled) setImmediate(beginTurn)
    isScheduled = true
  }

  function beginTurn(): void {
    isScheduled = false
    stopClock()
    used.clear()
    beginNext()
  }

  function beginNext(): void {
    stopClock()
    for (const [caller, works] of waiting) {
      if (usedBy(caller) >= SHARE) continue
      const [work] = works
      if (work) {
        works.delete(work)
        begin(caller, work)
        // Once all promises have settled that don't wait for anything: refusing a request takes most of its time there.
        return void queueMicrotask(() => process.nextTick(beginNext))
      }
      waiting.delete(caller)
    }
  }

  return <Result>(caller: string, work: () => Result | Promise<Result>, leaving?: () => AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const settle = (): void => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    }
    stopClock()
    if (!waiting.has(caller) && usedBy(caller) < SHARE) {
      begin(caller, settle)
      return promise
    }
    const signal = leaving?.()
    if (signal?.aborted) return Promise.reject(signal.reason)
    const works = waiting.get(caller) ?? new Set()
    waiting.set(caller, works.add(settle))
    // Kept no longer than its caller waits, who can open as many connections as those that it closes.
    signal?.addEventListener('abort', () => {
      works.delete(settle)
      reject(signal.reason)
    })
    return promise
  }
}

/** Starts the work of all callers of this process, over REST and gRPC: they share the turns of its event loop. */
export const startFairly = createFairStarts()
