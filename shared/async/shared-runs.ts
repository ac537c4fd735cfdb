/**
 * Shares one kind of work among those who ask for it at the same time: one run at a time, and each caller gets a run
 * that began after it asked. Who waits behind a run that fails gets its error, so that nobody waits for two.
 */
export function sharingRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined

  async function begin(): Promise<void> {
    try {
      await work()
    } finally {
      running = undefined
    }
  }

  async function after(earlier: Promise<void>): Promise<void> {
    try {
      await earlier
    } finally {
      waiting = undefined
    }
    running ??= begin()
    await running
  }

  return () => {
    if (running === undefined) {
      running = begin()
      return running
    }
    waiting ??= after(running)
    return waiting
  }
}
