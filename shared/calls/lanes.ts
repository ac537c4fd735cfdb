import { CALLER_LEFT } from './errors.ts'
import { startFairly } from './fair-starts.ts'
import { type Closable, createLine, type Line } from './line.ts'

/**
 * Runs a task of a caller when there is room for it, unless nobody waits for it any more by then: it then rejects with
 * CALLER_LEFT. `leaving` closes when the caller leaves.
 */
export type Lanes = <Result>(caller: string, task: () => Promise<Result>, leaving?: Closable) => Promise<Result>

interface CallerLane {
  running: number
  readonly line: Line
}

/**
 * Runs at most `max` tasks of each caller at a time, and the others in order as those end, whether they succeed or fail.
 * A caller with hundreds of tasks waits for its own, and nobody else does. Nothing is stored about one without tasks.
 */
export function createLanes(max: number): Lanes {
  const lanes = new Map<string, CallerLane>()

  return <Result>(caller: string, task: () => Promise<Result>, leaving?: Closable): Promise<Result> => {
    const lane = lanes.get(caller) ?? { running: 0, line: createLine() }
    lanes.set(caller, lane)
    const leave = (): void => {
      const next = lane.line.next()
      // Deferred, and in its caller's turns: tasks that need no I/O would otherwise block the event loop back to back.
      if (next) return void setImmediate(startFairly, caller, next)
      lane.running--
      if (lane.running === 0) lanes.delete(caller)
    }
    const begin = (): Promise<Result> => {
      const result = task()
      // In one promise: in two, as `finally` makes them, a GET takes 2 % longer.
      result.then(leave, leave)
      return result
    }
    if (lane.running < max) {
      lane.running++
      return begin()
    }
    return lane.line.add(() => {
      if (!leaving?.closed) return begin()
      leave()
      throw CALLER_LEFT
    }, leaving)
  }
}

/** Runs a call of a key, by the key's id: a write at once, reads of one record in one lane, all that takes longer in another. */
export type KeyLanes = <Result>(
  keyId: string,
  lane: Lane,
  call: () => Promise<Result>,
  leaving?: Closable,
) => Promise<Result>

export type Lane = 'write' | 'record' | 'long-read'

/**
 * The lanes of a process's keys, over REST and gRPC; `perSecond`: how many calls a key may make. What runs for one key
 * delays the others. Reads of a record don't wait for lists and reports.
 */
export function createKeyLanes(perSecond: number): KeyLanes {
  const atOnce = Math.max(4, Math.ceil(perSecond / 75))
  const lanes = { record: createLanes(atOnce), 'long-read': createLanes(atOnce) }
  return (keyId, lane, call, leaving) => (lane === 'write' ? call() : lanes[lane](keyId, call, leaving))
}
