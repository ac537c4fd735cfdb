/**
 * Runs a task of a caller when there is room for it, unless nobody waits for it any more by then. `leaving` is only called
 * if the task must wait.
 */
export type Lanes = <Result>(
  caller: string,
  task: () => Promise<Result>,
  leaving?: () => AbortSignal,
) => Promise<Result>

/** How long a caller whose task has just ended starts no other one, in milliseconds. */
type RestAfter = (caller: string) => number

interface CallerLane {
  running: number
  readonly waiting: (() => void)[]
  /** See performance.now; 0 if it doesn't rest. */
  restsUntil: number
  isScheduled: boolean
}

/**
 * Runs at most `max` tasks of each caller at a time, and the others in order as those end. A caller with hundreds of
 * tasks waits for its own, and nobody else does. A caller's entry is small, and is never removed.
 */
export function createLanes(max: number, restAfter: RestAfter = () => 0): Lanes {
  const lanes = new Map<string, CallerLane>()

  function newLane(caller: string): CallerLane {
    const lane = { running: 0, waiting: [], restsUntil: 0, isScheduled: false }
    lanes.set(caller, lane)
    return lane
  }

  /** Deferred: tasks that need no I/O would otherwise run back to back and block the event loop. */
  function schedule(lane: CallerLane): void {
    if (lane.isScheduled || (lane.waiting.length === 0 && lane.restsUntil === 0)) return
    lane.isScheduled = true
    const rest = lane.restsUntil - performance.now()
    // Not in the timer itself: one that is late runs before Node has read what arrived meanwhile.
    if (rest > 0) setTimeout(() => setImmediate(startWaiting, lane), rest)
    else setImmediate(startWaiting, lane)
  }

  function startWaiting(lane: CallerLane): void {
    lane.isScheduled = false
    // Unless another task has ended since this was scheduled, and begun a longer rest.
    if (lane.restsUntil <= performance.now()) {
      // Only one after a rest: the next rest depends on how long it takes.
      const count = lane.restsUntil > 0 ? 1 : max
      lane.restsUntil = 0
      for (let begun = 0; begun < count && lane.running < max; begun++) lane.waiting.shift()?.()
    }
    if (lane.running < max) schedule(lane)
  }

  return <Result>(caller: string, task: () => Promise<Result>, leaving?: () => AbortSignal): Promise<Result> => {
    const lane = lanes.get(caller) ?? newLane(caller)
    const leave = (): void => {
      lane.running--
      const rest = restAfter(caller)
      if (rest > 0) lane.restsUntil = performance.now() + rest
      schedule(lane)
    }
    const begin = (): Promise<Result> => {
      lane.running++
      const result = task()
      // In one promise: in two, as `finally` makes them, a GET takes 2 % longer.
      result.then(leave, leave)
      return result
    }
    if (lane.running < max && !lane.isScheduled) return begin()
    const signal = leaving?.()
    if (signal?.aborted) return Promise.reject(signal.reason)
    const { promise: turn, resolve, reject } = Promise.withResolvers<Result>()
    const start = (): void => {
      signal?.removeEventListener('abort', giveUp)
      resolve(begin())
    }
    const giveUp = (): void => {
      lane.waiting.splice(lane.waiting.indexOf(start), 1)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp)
    lane.waiting.push(start)
    schedule(lane)
    return turn
  }
}

/** Runs a call of a key, by the key's id: a write at once, reads of one record in one lane, all that takes longer in another. */
export type KeyLanes = <Result>(
  keyId: string,
  lane: Lane,
  call: () => Promise<Result>,
  leaving?: () => AbortSignal,
) => Promise<Result>

export type Lane = 'write' | 'record' | 'long-read'

/** How long a task may block the event loop without a rest after it, in milliseconds. */
const UNNOTICED = 20
/** How long a key counts as present after a call, in milliseconds. */
const PRESENT = 1_000

/**
 * The lanes of a process's keys, over REST and gRPC; `perSecond`: how many calls a key may make. What runs for one key
 * delays the others. Reads of a record don't wait for lists and reports. After a long list has blocked the event loop, its
 * key starts no other long read for as long again while other keys are present: 150 lists of 4 MB that arrived together
 * were made in a single turn of the event loop, and every other request takes several turns.
 */
export function createKeyLanes(perSecond: number): KeyLanes {
  const atOnce = Math.max(4, Math.ceil(perSecond / 75))
  const present = createPresence()
  const restAfter = (keyId: string): number => {
    const blocked = sinceTurnBegan()
    if (blocked < UNNOTICED) return 0
    return present.isAlone(keyId) ? 1 : blocked
  }
  const records = createLanes(atOnce)
  const longReads = createLanes(atOnce, restAfter)
  return (keyId, lane, call, leaving) => {
    present.note(keyId)
    if (lane === 'write') return call()
    if (lane === 'record') return records(keyId, call, leaving)
    const timed = () => {
      // So that restAfter counts from here, unless another call of this turn came first.
      sinceTurnBegan()
      return call()
    }
    return longReads(keyId, timed, leaving)
  }
}

/** Remembers which two keys called last. */
function createPresence() {
  let latest = { keyId: '', at: Number.NEGATIVE_INFINITY }
  let other = latest
  return {
    note(keyId: string): void {
      if (latest.keyId !== keyId) other = latest
      latest = { keyId, at: performance.now() }
    },
    isAlone(keyId: string): boolean {
      const { at } = latest.keyId === keyId ? other : latest
      return performance.now() - at > PRESENT
    },
  }
}

let turnBegan: number | undefined

/** How long ago this was first called in this turn of the event loop, in milliseconds. */
function sinceTurnBegan(): number {
  if (turnBegan === undefined) {
    turnBegan = performance.now()
    setImmediate(() => {
      turnBegan = undefined
    })
  }
  return performance.now() - turnBegan
}
