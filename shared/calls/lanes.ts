/** Runs a task of a caller when there is room for it. */
export type Lanes = <Result>(caller: string, task: () => Promise<Result>) => Promise<Result>

/** How long a caller whose task has just ended begins no other one, in milliseconds. */
type RestAfter = (caller: string) => number

interface Lane {
  running: number
  readonly waiting: (() => void)[]
  /** Of performance.now(). */
  restsUntil: number
  isToGoOn: boolean
}

/**
 * Runs at most `max` tasks of each caller at a time, and the others in their order as those end: whoever asks for hundreds
 * of things at once waits for them, and nobody else does. A caller's entry is small, and is never removed.
 */
export function createLanes(max: number, restAfter: RestAfter = () => 0): Lanes {
  const lanes = new Map<string, Lane>()

  function newLane(caller: string): Lane {
    const lane = { running: 0, waiting: [], restsUntil: 0, isToGoOn: false }
    lanes.set(caller, lane)
    return lane
  }

  /** Not at once: where tasks never wait for anything, nothing else would happen until all of them have run. */
  function goOnSoon(lane: Lane): void {
    if (lane.isToGoOn || lane.waiting.length === 0) return
    lane.isToGoOn = true
    const rest = lane.restsUntil - performance.now()
    if (rest > 0) setTimeout(goOn, rest, lane)
    else setImmediate(goOn, lane)
  }

  function goOn(lane: Lane): void {
    lane.isToGoOn = false
    // One after a rest, as its end says how long the next one is.
    const most = lane.restsUntil > 0 ? 1 : max
    for (let begun = 0; begun < most && lane.running < max; begun++) lane.waiting.shift()?.()
    if (lane.running < max) goOnSoon(lane)
  }

  return <Result>(caller: string, task: () => Promise<Result>): Promise<Result> => {
    const lane = lanes.get(caller) ?? newLane(caller)
    const leave = (): void => {
      lane.running--
      const rest = restAfter(caller)
      lane.restsUntil = rest > 0 ? performance.now() + rest : 0
      goOnSoon(lane)
    }
    const begin = (): Promise<Result> => {
      lane.running++
      const result = task()
      // In one promise: in two, as `finally` makes them, a GET takes 2 % longer.
      result.then(leave, leave)
      return result
    }
    if (lane.running < max && !lane.isToGoOn && lane.restsUntil <= performance.now()) return begin()
    const turn = new Promise<Result>((resolve) => lane.waiting.push(() => resolve(begin())))
    goOnSoon(lane)
    return turn
  }
}

/** Runs a read for a key, by its id, in the lane of records or in that of all that takes longer. */
export type ReadLanes = ReturnType<typeof createReadLanes>

/** How long others hardly notice that they wait, in milliseconds. */
const UNNOTICED = 20
/** How long a key counts as present after a read, in milliseconds. */
const PRESENT = 1_000

/**
 * The lanes of all that a process lets keys read, over REST and gRPC; `perSecond`: how many calls a key may make. What runs
 * for one key is what another has to wait for. A record doesn't wait for lists and reports. And a key that keeps the event
 * loop with a long list leaves it to others afterwards, for as long again if there are any: 150 lists of 4 MB that arrived
 * at once were made in one turn of it, and each other request takes several.
 */
export function createReadLanes(perSecond: number) {
  const atOnce = Math.max(4, Math.ceil(perSecond / 75))
  const present = createPresence()
  const restAfter = (keyId: string): number => {
    const kept = sinceTurnBegan()
    if (kept < UNNOTICED) return 0
    return present.isAlone(keyId) ? 1 : kept
  }
  const lanes = { record: createLanes(atOnce), others: createLanes(atOnce, restAfter) }
  return <Result>(keyId: string, lane: keyof typeof lanes, read: () => Promise<Result>): Promise<Result> => {
    present.note(keyId)
    if (lane === 'others') sinceTurnBegan()
    return lanes[lane](keyId, read)
  }
}

/** The two keys that have read last. */
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
