import { repeat } from '../../async/repeat.ts'
import type { LatestTimes } from '../../event-sourcing/ports/latest-times.ts'
import type { Logger } from '../../runtime/log/logger.ts'

interface LastUsesOptions {
  readonly lastUses: Pick<LatestTimes, 'raise'>
  readonly logger: Logger
  /** Interval between two writes: with possible delays, less than the promised minute. */
  readonly writeMilliseconds?: number
}

/** Records when keys are used, and writes that periodically; failed writes are retried. */
export function createLastUses({ lastUses, logger, writeMilliseconds = 20_000 }: LastUsesOptions) {
  let pending = new Map<string, number>()

  async function write(): Promise<void> {
    if (pending.size === 0) return
    const writing = pending
    pending = new Map()
    try {
      await lastUses.raise(writing)
    } catch (error) {
      logger.warn({ err: error }, 'cannot store when API keys were last used; will retry')
      pending = new Map([...writing, ...pending])
    }
  }

  const writing = repeat(write, writeMilliseconds)
  return {
    /** Records a use in memory; `at` in milliseconds since the epoch. */
    note: (id: string, at: number) => pending.set(id, at),
    /** Writes what was recorded last. */
    async stop(): Promise<void> {
      await writing.stop()
      await write()
    },
  }
}
