import type { LatestTimes } from '../../event-sourcing/ports/latest-times.ts'
import type { Logger } from '../../runtime/log/logger.ts'

interface LastUsesOptions {
  readonly lastUses: Pick<LatestTimes, 'raise'>
  readonly logger: Logger
  /** Between two writes, in milliseconds: with all that may hold one up, less than the minute promised. */
  readonly writeEvery?: number
}

/** Notes when keys are used, and writes it now and then for all of them; what can’t be written waits. */
export function createLastUses({ lastUses, logger, writeEvery = 20_000 }: LastUsesOptions) {
  let noted = new Map<string, number>()
  let written = Promise.resolve()

  async function writeNoted(): Promise<void> {
    if (noted.size === 0) return
    const writing = noted
    noted = new Map()
    try {
      await lastUses.raise(writing)
    } catch (error) {
      logger.warn({ err: error }, 'when API keys were last used can’t be kept now')
      noted = new Map([...writing, ...noted])
    }
  }

  /** One after the other, so that the last one is over when all are. */
  function write(): Promise<void> {
    written = written.then(writeNoted)
    return written
  }

  const timer = setInterval(write, writeEvery)
  return {
    /** In memory; `at` in milliseconds since the epoch. */
    note: (id: string, at: number) => noted.set(id, at),
    /** Keeps what was noted last. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await write()
    },
  }
}
