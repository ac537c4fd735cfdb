/** Runs a task after those queued before it. */
export type OneAtATime = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Turns of the event loop between two tasks: a request takes several, and must not wait for a task in each. */
const TURNS_BETWEEN = 8

/** Runs one task at a time, and lets other work of the process run between two, even if tasks never await anything. */
export function createOneAtATime(): OneAtATime {
  const queue: (() => void)[] = []
  let isBusy = false

  function schedule(): void {
    if (isBusy || queue.length === 0) return
    isBusy = true
    setImmediate(letOthers, TURNS_BETWEEN - 1)
  }

  function letOthers(turns: number): void {
    if (turns > 0) setImmediate(letOthers, turns - 1)
    else queue.shift()?.()
  }

  return async (task) => {
    await new Promise<void>((begin) => {
      queue.push(begin)
      schedule()
    })
    try {
      return await task()
    } finally {
      isBusy = false
      schedule()
    }
  }
}
