import type { AppendedBatch, Database } from '../../event-sourcing/ports/database.ts'
import type { Ledger } from '../../event-sourcing/ports/ledger.ts'
import type { AnyViewDefinition } from '../../event-sourcing/ports/view.ts'
import { lagMetrics } from './lag.ts'
import type { Metrics } from './metrics.ts'

interface MeasuredDatabase {
  /** The service that the database belongs to. */
  readonly service: string
  readonly views: readonly AnyViewDefinition[]
  /** Opens it with these views and, if its engine supports it, this callback. */
  open(onBatch: (batch: AppendedBatch) => void): Promise<Database>
}

/** Opens a database and measures its appends, its log and its views. */
export async function openMeasured(metrics: Metrics, { service, views, open }: MeasuredDatabase): Promise<Database> {
  const opened = await open(countBatches(metrics, service))
  const hasReports = views.some(({ versions }) => versions?.kind === 'ledger')
  const database = countingAppends(metrics, service, hasReports ? measuringReports(metrics, service, opened) : opened)
  const { events } = database
  metrics.gauge(
    { name: 'mint_log_position', help: 'Position of the last event in the log.', labels: { service } },
    () => events.head(),
  )
  for (const view of views) {
    const checkpoint = () => database.view(view).checkpoint()
    const labels = { service, view: view.name }
    lagMetrics(metrics, { name: 'mint_projection_lag', who: 'The view', labels, events, checkpoint })
  }
  return database
}

function countBatches(metrics: Metrics, service: string): (batch: AppendedBatch) => void {
  const size = metrics.histogram({
    name: 'mint_append_batch_commits',
    help: 'How many commits became durable together.',
    labels: ['service'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  })
  const duration = metrics.histogram({
    name: 'mint_append_batch_duration_seconds',
    help: 'How long the engine took to make a batch of commits durable.',
    labels: ['service'],
  })
  const lost = metrics.counter({
    name: 'mint_append_lost_races_total',
    help: 'Appends that lost their position to another process.',
    labels: ['service'],
  })
  lost.inc({ service }, 0)
  return ({ commits, milliseconds, lostRaces = 0 }) => {
    lost.inc({ service }, lostRaces)
    if (commits === 0) return
    size.observe({ service }, commits)
    duration.observe({ service }, milliseconds / 1000)
  }
}

function countingAppends(metrics: Metrics, service: string, database: Database): Database {
  const { events } = database
  const duration = metrics.histogram({
    name: 'mint_append_duration_seconds',
    help: 'Appends by outcome, and the time from the request until each was durable and visible.',
    labels: ['service', 'outcome'],
  })
  const append: typeof events.append = async (commit) => {
    const startedAt = performance.now()
    let outcome = 'unavailable'
    try {
      const appended = await events.append(commit)
      outcome = appended.type
      return appended
    } finally {
      duration.observe({ service, outcome }, (performance.now() - startedAt) / 1000)
    }
  }
  return { ...database, events: { ...events, append } }
}

function measuringReports(metrics: Metrics, service: string, database: Database): Database {
  const duration = metrics.histogram({
    name: 'mint_report_duration_seconds',
    help: 'Reports by kind and outcome, and the time from the request until each was added up, waiting included.',
    labels: ['service', 'kind', 'outcome'],
  })
  let pending = 0
  metrics.gauge(
    { name: 'mint_reports_pending', help: 'Reports that wait or are being added up.', labels: { service } },
    async () => pending,
  )
  async function measured<Answer>(kind: keyof Ledger, answer: Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now()
    let outcome = 'unavailable'
    pending += 1
    try {
      const answered = await answer
      outcome = 'answered'
      return answered
    } finally {
      pending -= 1
      duration.observe({ service, kind, outcome }, (performance.now() - startedAt) / 1000)
    }
  }
  return {
    ...database,
    view(definition) {
      const view = database.view(definition)
      const { ledger } = view
      const sums: Ledger['sums'] = (query) => measured('sums', ledger.sums(query))
      const changes: Ledger['changes'] = (query) => measured('changes', ledger.changes(query))
      const lines: Ledger['lines'] = (query) => measured('lines', ledger.lines(query))
      return { ...view, ledger: { ...ledger, sums, lines, changes } }
    },
  }
}
