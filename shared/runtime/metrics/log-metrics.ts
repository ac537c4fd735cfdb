import { droppedLines } from '../log/output.ts'
import type { Metrics } from './metrics.ts'

/** Counts the log lines that this process could not write. */
export function logMetrics(metrics: Metrics): void {
  const help = 'Log lines that were dropped because nobody read them, or the disk was full.'
  const dropped = metrics.counter({ name: 'mint_log_lines_dropped_total', help, labels: [] })
  droppedLines.subscribe(() => dropped.inc())
}
