import { type StalledLoop, stalledLoops } from '../../event-sourcing/bounded-rounds.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** Logs and counts the loops of this process that are ended for lack of progress. Returns the function that stops it. */
export function watchStalledLoops(metrics: Metrics, logger: Logger): () => void {
  const stalled = metrics.counter({
    name: 'mint_stalled_loops_total',
    help: 'Loops that were ended because their rounds changed nothing: a bug in Mint.',
    labels: ['loop'],
  })
  const watch = (message: unknown): void => {
    const { loop, stuckAt } = message as StalledLoop
    stalled.inc({ loop })
    logger.error({ loop, stuckAt }, 'a loop made no progress and was ended')
  }
  stalledLoops.subscribe(watch)
  return () => void stalledLoops.unsubscribe(watch)
}
