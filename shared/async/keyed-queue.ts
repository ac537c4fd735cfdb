/**
 * Creates a queue that runs tasks with the same key one after another, in the order of calls, and others concurrently. It
 * stores nothing about a key once its tasks are done.
 */
export function createKeyedQueue() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    /** Returns what the task returns; a task that fails does not block the next. */
    async run<Result>(key: string, task: () => Promise<Result>) {
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
