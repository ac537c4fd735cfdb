/** Does a task in its turn: after those that came before it. */
export type Turns = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * Turns of the event loop between the beginnings of two tasks. A request takes several from its connection (of which
 * each turn accepts one) to its answer: with one turn it would wait for as many tasks.
 */
const TURNS_BETWEEN = 8

/**
 * At most so many tasks are under way; the others wait in line. Whatever else has come to this process is done between
 * the beginnings of two, also where tasks never have to wait for anything.
 */
export function createTurns(atOnce: number): Turns {
  const line: (() => void)[] = []
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || line.length === 0 || underWay === atOnce) return
    isScheduled = true
    setImmediate(letOthers, TURNS_BETWEEN - 1)
  }

  function letOthers(turns: number): void {
    if (turns > 0) setImmediate(letOthers, turns - 1)
    else beginNext()
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
