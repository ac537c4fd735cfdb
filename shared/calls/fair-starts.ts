import { type Closable, createLine, type Line } from './line.ts'

/**
 * Starts work for a caller, now or in a later turn of the event loop, unless nobody waits for it any more by then: it then
 * rejects with CALLER_LEFT. Settles as the work does. `leaving` closes when the caller leaves.
 */
export type FairStart = <Result>(
  caller: string,
  work: () => Result | Promise<Result>,
  leaving?: Closable,
) => Promise<Result>

/** The most that a caller's work takes of a turn of the event loop before the rest of it waits, in milliseconds. */
const SHARE = 2
/** The most that a caller can owe later turns, in milliseconds: a pause of the process counts as somebody's work. */
const MAX_DEBT = 100

interface Caller {
  /** How much of this turn it has used, with what it still owes from earlier ones, in milliseconds. */
  used: number
  readonly line: Line
}

/**
 * Starts the work of many callers in such a way that none fills the turns of the event loop. Every request needs several
 * turns, and in one turn Node would start all that has arrived: 300 connections of one caller whose requests take 3 ms
 * each, even to refuse them, kept everybody else's requests waiting for seconds. What exceeds a caller's share is started
 * in order in the following turns: deficit round robin (Shreedhar and Varghese, 1995). How long work takes isn't known
 * beforehand, so an overrun is deducted from later shares: a body that takes 20 ms to parse costs ten turns, in which
 * others' requests are answered.
 */
export function createFairStarts(): FairStart {
  /** Those whose work has started in this turn or the one before, or waits. */
  const callers = new Map<string, Caller>()
  /** Those of them whose work may wait: thousands may have none that does. */
  const waiting = new Set<Caller>()
  /** Whose work is running, and since when. */
  let running: Caller | undefined
  let since = 0
  let isScheduled = false

  function stopClock(): void {
    if (running) running.used += performance.now() - since
    running = undefined
  }

  function begin(caller: Caller, work: () => void): void {
    stopClock()
    schedule()
    running = caller
    since = performance.now()
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
    for (const [name, caller] of callers) {
      if (caller.used === 0 && caller.line.isEmpty()) callers.delete(name)
      caller.used = Math.min(Math.max(0, caller.used - SHARE), MAX_DEBT)
    }
    if (callers.size > 0) schedule()
    beginNext()
  }

  function beginNext(): void {
    stopClock()
    for (const caller of waiting) {
      if (caller.used >= SHARE) continue
      const start = caller.line.next()
      if (start) return void begin(caller, start)
      waiting.delete(caller)
    }
  }

  return <Result>(name: string, work: () => Result | Promise<Result>, leaving?: Closable) => {
    // Otherwise what runs now counts as nobody's yet.
    stopClock()
    const caller = callers.get(name) ?? { used: 0, line: createLine() }
    callers.set(name, caller)
    if (caller.used >= SHARE || !caller.line.isEmpty()) {
      waiting.add(caller)
      return caller.line.add(work, leaving)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    begin(caller, () => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
    return promise
  }
}

/** Starts the work of all callers of this process, over REST and gRPC: they share the turns of its event loop. */
export const startFairly = createFairStarts()
