import type { ServerResponse } from 'node:http'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import type { AnsweredRequest } from '../../shared/runtime/metrics/http-metrics.ts'
import { spanIds } from '../../shared/runtime/tracing/tracing.ts'
import { type Exchange, releaseIfOver } from './exchange.ts'

export interface AnswerObserver {
  readonly logger: Logger
  /** Called once each request has been answered. */
  readonly onAnswered?: (request: AnsweredRequest) => void
}

/**
 * Once an answer is sent, or its connection closed, reports it and releases its charges, unless it is still in
 * progress. Logged only at debug: a log line costs more than all the metrics.
 */
export function observeAnswer(exchange: Exchange, res: ServerResponse, { logger, onAnswered }: AnswerObserver): void {
  const isLogged = logger.isLevelEnabled('debug')
  const begun = performance.now()
  res.on('close', () => {
    exchange.isClosed = true
    releaseIfOver(exchange)
    // A connection keeps its last request while Node discards the rest of a body, and until the next one.
    if (res.writableFinished) Object.assign(res.req, { headers: {}, rawHeaders: [] })
    const milliseconds = performance.now() - begun
    const { method, route = '(none)' } = exchange
    const status = res.writableFinished ? res.statusCode : 'aborted'
    onAnswered?.({ method, route, status, milliseconds })
    const { requestId, path, problem: code, span } = exchange
    span?.end({
      'http.request.method': method,
      'http.route': route,
      'mint.request_id': requestId,
      ...(status === 'aborted' ? { 'error.type': status } : { 'http.response.status_code': status }),
      ...(res.statusCode >= 500 && { 'error.type': code ?? 'internal_error' }),
    })
    if (!isLogged) return
    logger.debug({ requestId, method, path, status, milliseconds, code, ...spanIds(span?.traceparent) }, 'answered')
  })
}
