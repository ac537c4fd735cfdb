import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable, orUnavailable } from '../availability.ts'

const RETRY_DELAY = 50

/**
 * Tries again while the engine is away: what is written is in the log already, and rows may be written any number of
 * times. Throws the last error at `until`, in milliseconds since the epoch.
 */
export async function writeUntilVisible(write: () => Promise<void>, until: number): Promise<void> {
  for (;;) {
    try {
      return await orUnavailable(write(), until)
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + RETRY_DELAY > until) throw error
      await delay(RETRY_DELAY)
    }
  }
}
