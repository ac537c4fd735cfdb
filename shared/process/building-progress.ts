import type { Position } from '../event-sourcing/event.ts'
import type { Logger } from '../logger.ts'

/** How often it is logged, in milliseconds. */
const INTERVAL = 5_000

/** Logs how far views are while they are built, from time to time. */
export function buildingProgress(logger: Logger): (reached: Position) => void {
  let next = performance.now() + INTERVAL
  return (position) => {
    if (performance.now() < next) return
    next = performance.now() + INTERVAL
    logger.info({ position }, 'building views from the log')
  }
}
