import type { Database } from '../event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../event-sourcing/ports/view.ts'
import { lagMetrics } from './lag.ts'
import type { Metrics } from './metrics.ts'

interface ObservedLog {
  /** Whose database it is. */
  readonly service: string
  readonly database: Database
  /** Those that the database was opened with. */
  readonly views: readonly AnyViewDefinition[]
}

/** The head of a service's log, the same from every process, and how far this process's views are behind it. */
export function logMetrics(metrics: Metrics, { service, database, views }: ObservedLog): void {
  metrics.figure(
    { name: 'mint_log_position', help: 'Position of the last event in the log.', labels: { service } },
    () => database.events.head(),
  )
  for (const definition of views) {
    const { name: view } = definition
    const checkpoint = () => database.view(definition).checkpoint()
    const labels = { service, view }
    lagMetrics(metrics, { name: 'mint_projection_lag', who: 'The view', labels, events: database.events, checkpoint })
  }
}
