/** Runs the tasks of one key one after another, in the order of asking; those of different keys side by side. */
export interface KeyedQueue {
  /** Answers what the task answers; a task that fails doesn't hold up the next. */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>
}

/** A queue that keeps nothing of a key once its tasks are done. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async run(key, task) {
      const before = tails.get(key)
      const result = before === undefined ? task() : before.then(task)
      const tail = result.catch(() => {})
      tails.set(key, tail)
      try {
        return await result
      } finally {
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}
