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
/** The most that a caller can owe later turns, in milliseconds: a pause of the process counts as somebody's work. */
const MAX_DEBT = 100

/**
 * Starts the work of many callers in such a way that none fills the turns of the event loop. Every request needs several
 * turns, and in one turn Node would start all that has arrived: 300 connections of one caller whose requests take 3 ms
 * each, even to refuse them, kept everybody else's requests waiting for seconds. What exceeds a caller's share is started
 * in order in the following turns: deficit round robin (Shreedhar and Varghese, 1995). How long work takes isn't known
 * beforehand, so an overrun is deducted from later shares: a body that takes 20 ms to parse costs ten turns, in which
 * others' requests are answered.
 */
export function createFairStarts(): FairStart {
  /** How much of this turn each caller has used, with what it still owes from earlier ones, in milliseconds. */
  const used = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  /** Whose work is running, and since when. */
  let running: { readonly caller: string; readonly since: number } | undefined
  let isScheduled = false

  const hasShare = (caller: string): boolean => (used.get(caller) ?? 0) < SHARE

  function stopClock(): void {
    if (running === undefined) return
    const { caller, since } = running
    used.set(caller, (used.get(caller) ?? 0) + performance.now() - since)
    running = undefined
  }

  function begin(caller: string, work: () => void): void {
    stopClock()
    schedule()
    running = { caller, since: performance.now() }
    work()
    // Once all promises have settled that don't wait for anything: refusing a request takes most of its time there.
    queueMicrotask(() => process.nextTick(beginNext))
  }

  function schedule(): void {
    if (!isScheduled) setImmediate(beginTurn)
    isScheduled = true
  }

  function beginTurn(): void {
    isScheduled = false
    for (const [caller, time] of used) {
      if (time > SHARE) used.set(caller, Math.min(time - SHARE, MAX_DEBT))
      else used.delete(caller)
    }
    if (used.size > 0 || waiting.size > 0) schedule()
    beginNext()
  }

  function beginNext(): void {
    stopClock()
    for (const [caller, works] of waiting) {
      if (!hasShare(caller)) continue
      const [work] = works
      if (work) {
        works.delete(work)
        begin(caller, work)
        return
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
    // Otherwise what runs now counts as nobody's yet.
    stopClock()
    if (!waiting.has(caller) && hasShare(caller)) {
      begin(caller, settle)
      return promise
    }
    const signal = leaving?.()
    if (signal?.aborted) return Promise.reject(signal.reason)
    const works = waiting.get(caller) ?? new Set()
    waiting.set(caller, works.add(settle))
    // Dropped as soon as its caller leaves: a caller can open a new connection for each that it closes.
    signal?.addEventListener('abort', () => {
      works.delete(settle)
      reject(signal.reason)
    })
    return promise
  }
}

/** Starts the work of all callers of this process, over REST and gRPC: they share the turns of its event loop. */
export const startFairly = createFairStarts()
