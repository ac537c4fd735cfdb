/** Runs a task of a caller when there is room for it. */
export type Lanes = <Result>(caller: string, task: () => Promise<Result>) => Promise<Result>

interface Lane {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Runs at most `max` tasks of each caller at a time, and the others in their order as those end: whoever asks for hundreds
 * of things at once waits for them, and nobody else does.
 */
export function createLanes(max: number): Lanes {
  const lanes = new Map<string, Lane>()

  function newLane(caller: string): Lane {
    const lane = { running: 0, waiting: [] }
    lanes.set(caller, lane)
    return lane
  }

  function turnIn(lane: Lane): Promise<void> | undefined {
    if (lane.running === max) return new Promise((resolve) => lane.waiting.push(resolve))
    lane.running++
    return undefined
  }

  function leave(caller: string, lane: Lane): void {
    const next = lane.waiting.shift()
    if (next) next()
    else if (--lane.running === 0) lanes.delete(caller)
  }

  return (caller, task) => {
    const lane = lanes.get(caller) ?? newLane(caller)
    const turn = turnIn(lane)
    // Not awaited without need: nearly always there is room.
    return (turn ? turn.then(task) : task()).finally(() => leave(caller, lane))
  }
}
