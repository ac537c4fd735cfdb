import type { Metrics } from './metrics.ts'

/** A finished request of the REST API. */
export interface AnsweredRequest {
  readonly method: string
  /** The template of its path, for example `/contracts/:id`: bounded by the number of routes, whatever callers send. */
  readonly route: string
  /** `aborted` when the caller went away before the answer was sent. */
  readonly status: number | 'aborted'
  /** From the arrival of its headers until the answer was sent. */
  readonly milliseconds: number
}

/** Counts and times the requests passed to it. */
export function httpMetrics(metrics: Metrics): (request: AnsweredRequest) => void {
  const duration = metrics.histogram({
    name: 'mint_http_request_duration_seconds',
    help: 'Requests of the REST API by route and status, and how long they took until the answer was sent.',
    labels: ['method', 'route', 'status'],
  })
  return ({ method, route, status, milliseconds }) => {
    duration.observe({ method, route, status }, milliseconds / 1000)
  }
}
