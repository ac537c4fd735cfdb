/** Does a task in its turn: after those that came before it. */
export type Turns = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * At most so many tasks are under way; the others wait in line. One alone begins in each turn of the event loop, so that
 * whatever else has come to this process is done in between, also where tasks never have to wait for anything.
 */
export function createTurns(atOnce: number): Turns {
  const line: (() => void)[] = []
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || line.length === 0 || underWay === atOnce) return
    isScheduled = true
    setImmediate(beginNext)
  }

  function beginNext(): void {
    isScheduled = false
    underWay++
    line.shift()?.()
    schedule()
  }

  return async (task) => {
    await new Promise<void>((begin) => {
      line.push(begin)
      schedule()
    })
    try {
      return await task()
    } finally {
      underWay--
      schedule()
    }
  }
}
