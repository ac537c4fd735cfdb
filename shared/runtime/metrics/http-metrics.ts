import type { Metrics } from './metrics.ts'

/** A request of the REST API as it ended. */
export interface AnsweredRequest {
  readonly method: string
  /** The template of its path, for example `/contracts/:id`: as many as there are routes, whatever callers send. */
  readonly route: string
  /** `aborted` when the caller went away before the answer was sent. */
  readonly status: number | 'aborted'
  /** From its headers' arrival until the answer was sent. */
  readonly milliseconds: number
}

/** Counts and times the requests that it is told of. */
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
