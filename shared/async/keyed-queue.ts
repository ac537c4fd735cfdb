/** A queue that keeps nothing of a key once its tasks are done. */
export function createKeyedQueue() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    /** Answers what the task answers; a task that fails doesn't hold up the next. */
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
