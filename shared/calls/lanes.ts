/** Runs a task of a caller when there is room for it. */
export type Lanes = <Result>(caller: string, task: () => Promise<Result>) => Promise<Result>

interface Lane {
  running: number
  readonly waiting: (() => void)[]
  readonly leave: () => void
}

/**
 * Runs at most `max` tasks of each caller at a time, and the others in their order as those end: whoever asks for hundreds
 * of things at once waits for them, and nobody else does. A caller's entry is small, and is never removed.
 */
export function createLanes(max: number): Lanes {
  const lanes = new Map<string, Lane>()

  function newLane(caller: string): Lane {
    const lane = {
      running: 0,
      waiting: [] as (() => void)[],
      leave(): void {
        const next = lane.waiting.shift()
        // Not at once: where tasks never wait for anything, nothing else would happen until all of them have run.
        if (next) setImmediate(next)
        else lane.running--
      },
    }
    lanes.set(caller, lane)
    return lane
  }

  return (caller, task) => {
    const lane = lanes.get(caller) ?? newLane(caller)
    let result: ReturnType<typeof task>
    if (lane.running < max) {
      lane.running++
      result = task()
    } else result = new Promise<void>((resolve) => lane.waiting.push(resolve)).then(task)
    // In one promise: in two, as `finally` makes them, a GET takes 2 % longer.
    result.then(lane.leave, lane.leave)
    return result
  }
}

/** Runs a read for a key, by its id, in the lane of records or in that of all that takes longer. */
export type ReadLanes = ReturnType<typeof createReadLanes>

/**
 * The lanes of all that a process lets keys read, over REST and gRPC; `perSecond`: how many calls a key may make. What runs
 * for one key is what another has to wait for. A record doesn't wait for lists and reports.
 */
export function createReadLanes(perSecond: number) {
  const atOnce = Math.max(4, Math.ceil(perSecond / 75))
  const lanes = { record: createLanes(atOnce), others: createLanes(atOnce) }
  return <Result>(keyId: string, lane: keyof typeof lanes, read: () => Promise<Result>): Promise<Result> =>
    lanes[lane](keyId, read)
}
