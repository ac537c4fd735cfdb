/** Runs a task when the turn of its caller comes. */
export type FairTurns = <Result>(caller: string, task: () => Promise<Result>) => Promise<Result>

/** Turns of the event loop between two tasks: a request takes several, and must not wait for a task in each. */
const TURNS_BETWEEN = 8
/** A task that takes longer waits for somebody else, and is no reason for the others to wait; in milliseconds. */
const LONGEST_TURN = 50

/**
 * Runs one task at a time, or more where one waits for long, the callers taking turns however many tasks each has, and lets other work of the process run
 * between two, even if tasks never await anything.
 */
export function createFairTurns(): FairTurns {
  /** The tasks that wait, by caller; whoever was served last is at the end. */
  const queues = new Map<string, (() => void)[]>()
  let isBusy = false

  function schedule(): void {
    if (isBusy || queues.size === 0) return
    isBusy = true
    setImmediate(letOthers, TURNS_BETWEEN - 1)
  }

  function letOthers(turns: number): void {
    if (turns > 0) return void setImmediate(letOthers, turns - 1)
    const [[caller, [begin, ...rest]] = ['', []]] = queues
    queues.delete(caller)
    if (rest.length > 0) queues.set(caller, rest)
    begin?.()
  }

  return async (caller, task) => {
    await new Promise<void>((begin) => {
      queues.set(caller, [...(queues.get(caller) ?? []), begin])
      schedule()
    })
    let isOver = false
    const passOn = (): void => {
      if (isOver) return
      isOver = true
      isBusy = false
      schedule()
    }
    const timer = setTimeout(passOn, LONGEST_TURN)
    try {
      return await task()
    } finally {
      clearTimeout(timer)
      passOn()
    }
  }
}
