import type { MemoryBudget } from '../../budget/budget.ts'
import type { Metrics } from './metrics.ts'

/** Shows how much of its budget a process holds for callers, and how often nobody could be given more. */
export function budgetMetrics(metrics: Metrics, { pools }: MemoryBudget): void {
  for (const [pool, { held, refusals }] of Object.entries(pools)) {
    const labels = { pool }
    metrics.gauge(
      { name: 'mint_callers_memory_bytes', help: 'Memory held for callers, by whether they have a key.', labels },
      async () => held(),
    )
    metrics.gauge(
      { name: 'mint_callers_memory_refusals', help: 'Calls that waited for memory in vain, since the start.', labels },
      async () => refusals(),
    )
  }
}
