import { bytesOfPage } from '../budget/make-within.ts'

/** Runs a task of a caller when there is room for it. */
export type Lanes = <Result>(caller: string, task: () => Promise<Result>) => Promise<Result>

interface Lane {
  running: number
  readonly waiting: (() => void)[]
  readonly leave: () => void
}

/**
 * Runs at most `max` tasks of each caller at a time, and the others in their order as those end: whoever asks for hundreds
 * of things at once waits for them, and nobody else does. What is kept of a caller is small, and stays.
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

/** The most that one record takes, in bytes. */
const ONE_RECORD = bytesOfPage({ limit: 1 })

/** Runs a read for a key, by its id. `bytes`: the most that the answer takes. */
export type ReadLanes = ReturnType<typeof createReadLanes>

/**
 * Lanes for all that a process lets keys read, over REST and gRPC, given how many calls a key may make in a second: what is
 * under way for one key is what another one waits. A record doesn't wait for lists and reports.
 */
export function createReadLanes(perSecond: number) {
  const atOnce = Math.max(4, Math.ceil(perSecond / 75))
  const [records, others] = [createLanes(atOnce), createLanes(atOnce)]
  return <Result>(keyId: string, bytes: number, read: () => Promise<Result>): Promise<Result> =>
    (bytes > ONE_RECORD ? others : records)(keyId, read)
}
