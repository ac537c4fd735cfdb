/** Does a task in its turn: after those that came before it. */
export type OneAtATime = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Between two tasks: a request takes several turns of the event loop, and must not wait for a task in each. */
const TURNS_BETWEEN = 8

/** One task at a time; what else has come to this process is done between two, even where tasks never wait. */
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
