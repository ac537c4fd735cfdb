import type { AppendedBatch, Database } from '../event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../event-sourcing/ports/view.ts'
import { appendMetrics } from './append-metrics.ts'
import { logMetrics } from './log-metrics.ts'
import type { Metrics } from './metrics.ts'

interface MeasuredDatabase {
  /** Whose database it is. */
  readonly service: string
  readonly views: readonly AnyViewDefinition[]
  /** Opens it with these views and, where its engine takes it, this option. */
  open(onBatch: (batch: AppendedBatch) => void): Promise<Database>
}

/** Opens a database and measures its appends, its log and its views. */
export async function openMeasured(metrics: Metrics, { service, views, open }: MeasuredDatabase): Promise<Database> {
  const { onBatch, measured } = appendMetrics(metrics, service)
  const database = measured(await open(onBatch))
  logMetrics(metrics, { service, database, views })
  return database
}
