/** Does a task in its turn: after those that came before it. */
export type OneAtATime = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * Turns of the event loop between two tasks. A request takes several from its connection (of which
 * each turn accepts one) to its answer: with one turn it would wait for as many tasks.
 */
const TURNS_BETWEEN = 8

/**
 * One task at a time; the others wait in line. Whatever else has come to this process is done between two of them, also
 * where tasks never have to wait for anything.
 */
export function createOneAtATime(): OneAtATime {
  const line: (() => void)[] = []
  let isTaken = false

  function schedule(): void {
    if (isTaken || line.length === 0) return
    isTaken = true
    setImmediate(letOthers, TURNS_BETWEEN - 1)
  }

  function letOthers(turns: number): void {
    if (turns > 0) setImmediate(letOthers, turns - 1)
    else line.shift()?.()
  }

  return async (task) => {
    await new Promise<void>((begin) => {
      line.push(begin)
      schedule()
    })
    try {
      return await task()
    } finally {
      isTaken = false
      schedule()
    }
  }
}
