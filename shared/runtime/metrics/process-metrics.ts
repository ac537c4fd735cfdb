import type { MemoryBudget } from '../../budget/budget.ts'
import { type StalledLoop, stalledLoops } from '../../event-sourcing/bounded-rounds.ts'
import type { Logger } from '../log/logger.ts'
import { droppedLines } from '../log/output.ts'
import type { Metrics } from './metrics.ts'

/** Measures how much of its budget a process holds for callers, and how often a caller could get no more. */
export function budgetMetrics(metrics: Metrics, { pools }: MemoryBudget): void {
  for (const [pool, { held, refusals }] of Object.entries(pools)) {
    const labels = { pool }
    metrics.gauge(
      { name: 'mint_callers_memory_bytes', help: 'Memory held for callers, by whether they have a key.', labels },
      async () => held(),
    )
    metrics.gauge(
      {
        name: 'mint_callers_memory_refusals',
        help: 'Calls refused after waiting for memory, since the start.',
        labels,
      },
      async () => refusals(),
    )
  }
}

/** Counts the log lines that this process could not write. */
export function logMetrics(metrics: Metrics): void {
  const help = 'Log lines that were dropped because nobody read them, or the disk was full.'
  const dropped = metrics.counter({ name: 'mint_log_lines_dropped_total', help, labels: [] })
  droppedLines.subscribe(() => dropped.inc())
}

/** Logs and counts loops of this process that were ended for lack of progress. Returns a function that stops it. */
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
