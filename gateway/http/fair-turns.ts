/** Runs a task when the turn of its caller comes. Rejects with the signal's reason if it is aborted before. */
export type FairTurns = <Result>(caller: string, task: () => Promise<Result>, leaving: AbortSignal) => Promise<Result>

/** Turns of the event loop between two tasks: a request takes several, and must not wait for a task in each. */
const TURNS_BETWEEN = 8
/** But no longer than this, in milliseconds: where each turn takes long, tasks would never be done. */
const LONGEST_BETWEEN = 20

/**
 * Runs one task at a time, or more where one waits for long, the callers taking turns however many tasks each has, and
 * lets other work of the process run between two, even if tasks never await anything. Whoever leaves waits no longer:
 * what a task would go on with may be large.
 *
 * A task that takes longer than `longest` waits for somebody else, and is no reason for the others to wait; in
 * milliseconds.
 */
export function createFairTurns(longest: number): FairTurns {
  /** The tasks that wait, by caller, none without any; whoever was served last is at the end. */
  const queues = new Map<string, Set<() => void>>()
  let isBusy = false

  function schedule(): void {
    if (isBusy || queues.size === 0) return
    isBusy = true
    setImmediate(letOthers, TURNS_BETWEEN - 1, performance.now() + LONGEST_BETWEEN)
  }

  function letOthers(turns: number, until: number): void {
    if (turns > 0 && performance.now() < until) return void setImmediate(letOthers, turns - 1, until)
    const [next] = queues
    // Everybody has left.
    if (next === undefined) return void passOn()
    const [caller, queue] = next
    const [begin] = queue
    queues.delete(caller)
    if (begin) queue.delete(begin)
    if (queue.size > 0) queues.set(caller, queue)
    begin?.()
  }

  function passOn(): void {
    isBusy = false
    schedule()
  }

  async function turnOf(caller: string, leaving: AbortSignal): Promise<void> {
    leaving.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queue = queues.get(caller) ?? new Set()
    queues.set(caller, queue.add(resolve))
    schedule()
    const leave = (): void => {
      if (queue.delete(resolve) && queue.size === 0) queues.delete(caller)
      reject(leaving.reason)
    }
    leaving.addEventListener('abort', leave)
    await promise.finally(() => leaving.removeEventListener('abort', leave))
  }

  return async (caller, task, leaving) => {
    await turnOf(caller, leaving)
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      passOn()
    }
    const timer = setTimeout(end, longest)
    try {
      return await task()
    } finally {
      clearTimeout(timer)
      end()
    }
  }
}
