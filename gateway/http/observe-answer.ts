import type { ServerResponse } from 'node:http'
import type { Logger } from '../../shared/logger.ts'
import type { AnsweredRequest } from '../../shared/metrics/http-metrics.ts'
import type { Exchange } from './exchange.ts'

export interface Observers {
  readonly logger: Logger
  readonly onAnswered: ((request: AnsweredRequest) => void) | undefined
}

/** What stands for the template of a path that is none of the gateway's. */
const NO_ROUTE = '(none)'

/** Reports an answer once it is sent. Logged at debug only: a line costs more than the rest of what is measured. */
export function observeAnswer(exchange: Exchange, res: ServerResponse, { logger, onAnswered }: Observers): void {
  const isLogged = logger.isLevelEnabled('debug')
  if (!isLogged && !onAnswered) return
  const begun = performance.now()
  res.on('close', () => {
    const milliseconds = performance.now() - begun
    const { method, route = NO_ROUTE } = exchange
    const status = res.writableFinished ? res.statusCode : 'aborted'
    onAnswered?.({ method, route, status, milliseconds })
    const { requestId, path, problem: code } = exchange
    if (isLogged) logger.debug({ requestId, method, path, status, milliseconds, code }, 'answered')
  })
}
