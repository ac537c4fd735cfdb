import type { AppendedBatch, Database } from '../event-sourcing/ports/database.ts'
import { LATENCY_BUCKETS, type Metrics } from './metrics.ts'

export interface AppendMetrics {
  /** For the option of this name where a database is opened. */
  onBatch(batch: AppendedBatch): void
  /** The same database, whose appends are counted and timed. */
  measured(database: Database): Database
}

/** What appending costs. `service`: whose database it is. */
export function appendMetrics(metrics: Metrics, service: string): AppendMetrics {
  const append = metrics.histogram({
    name: 'mint_append_duration_seconds',
    help: 'Appends by outcome, and how long each took from being asked for until it was durable and visible.',
    labels: ['service', 'outcome'],
    buckets: LATENCY_BUCKETS,
  })
  const batchSize = metrics.histogram({
    name: 'mint_append_batch_commits',
    help: 'How many commits became durable together.',
    labels: ['service'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  })
  const batch = metrics.histogram({
    name: 'mint_append_batch_duration_seconds',
    help: 'How long the engine took to make a batch of commits durable.',
    labels: ['service'],
    buckets: LATENCY_BUCKETS,
  })
  const lost = metrics.counter({
    name: 'mint_append_lost_races_total',
    help: 'Appends that were sent again because another process had appended at their position.',
    labels: ['service'],
  })
  lost.inc({ service }, 0)
  return {
    onBatch({ commits, milliseconds, lostRaces = 0 }) {
      batchSize.observe({ service }, commits)
      batch.observe({ service }, milliseconds / 1000)
      lost.inc({ service }, lostRaces)
    },
    measured(database) {
      const { events } = database
      return {
        ...database,
        events: {
          ...events,
          async append(commit) {
            const begun = performance.now()
            let outcome = 'unavailable'
            try {
              const appended = await events.append(commit)
              outcome = appended.type
              return appended
            } finally {
              append.observe({ service, outcome }, (performance.now() - begun) / 1000)
            }
          },
        },
      }
    },
  }
}
