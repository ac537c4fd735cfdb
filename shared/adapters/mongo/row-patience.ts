import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable, PATIENCE } from './availability.ts'

const RETRY_DELAY = 50

/**
 * Tries again while the engine is away: what is written is in the log already, and rows may be written any number of
 * times. Throws the last error after PATIENCE.
 */
export async function writeUntilVisible(write: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE
  for (;;) {
    try {
      await write()
      return
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + RETRY_DELAY > deadline) throw error
      await delay(RETRY_DELAY)
    }
  }
}
