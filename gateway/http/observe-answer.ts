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
 * Once an answer is sent, or its connection closed, releases what was charged for it, unless it is still being made, and
 * reports it. Logged only at debug: a log line costs more than all the metrics.
 */
export function observeAnswer(exchange: Exchange, res: ServerResponse, { logger, onAnswered }: AnswerObserver): void {
  const isLogged = logger.isLevelEnabled('debug')
  const begun = performance.now()
  res.on('close', () => {
    exchange.isClosed = true
    releaseIfOver(exchange)
    const milliseconds = performance.now() - begun
    const { method, route = '(none)' } = exchange
    const status = res.writableFinished ? res.statusCode : 'aborted'
    onAnswered?.({ method, route, status, milliseconds })
    const { requestId, path, problem: code, span } = exchange
    span?.end({ ...attributesOf(exchange, status), 'http.route': route })
    if (!isLogged) return
    logger.debug({ requestId, method, path, status, milliseconds, code, ...spanIds(span?.traceparent) }, 'answered')
  })
}

/** By the names that OpenTelemetry has for them. */
function attributesOf({ method, requestId, problem }: Exchange, status: AnsweredRequest['status']) {
  const request = { 'http.request.method': method, 'mint.request_id': requestId }
  if (status === 'aborted') return { ...request, 'error.type': status }
  return {
    ...request,
    'http.response.status_code': status,
    ...(status >= 500 && problem !== undefined && { 'error.type': problem }),
  }
}
