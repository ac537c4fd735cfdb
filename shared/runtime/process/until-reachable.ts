import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../log/logger.ts'
import { messagesOf } from '../log/outages.ts'

/** Between two attempts. */
const RETRY_MILLISECONDS = 500

/** Opens a store as soon as it can be reached, whichever of the two was started first; logs that it is waiting. */
export async function untilReachable<Opened>(
  open: () => Promise<Opened>,
  { what, logger }: { readonly what: string; readonly logger: Logger },
): Promise<Opened> {
  for (let tries = 0; ; tries++) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (tries % 10 === 0) logger.warn({ reason: messagesOf(error) }, `waiting for ${what}`)
      await pause(RETRY_MILLISECONDS)
    }
  }
}
