import type { IncomingMessage, ServerResponse } from 'node:http'
import { outageOf } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Place, ProblemError } from '../problem.ts'
import type { Answer } from '../routes/answer.ts'
import { RequestAborted } from './body.ts'
import type { End } from './end-together.ts'
import { problemJson, toProblem } from './error-to-problem.ts'
import { type Exchange, resourceOf } from './exchange.ts'

interface Logging {
  readonly clock: () => number
  readonly logger: Logger
}

/** Writes an answer, headers and body in one piece. `end` says when. */
export function sendAnswer(res: ServerResponse, exchange: Exchange, answer: Answer, end: End): void {
  const { status, body, headers } = answer
  const all: Record<string, string | number> = Object.assign(exchange.headers, headers)
  if (body !== '') {
    all['Content-Type'] ??= 'application/json; charset=utf-8'
    all['Content-Length'] = Buffer.byteLength(body)
  }
  end(res.writeHead(status, all), body)
}

/** Writes the problem that an error comes to; an error of the gateway's own making is also logged, with its text. */
export function sendProblem(res: ServerResponse, exchange: Exchange, error: unknown, logging: Logging): void {
  if (error instanceof RequestAborted || res.headersSent) {
    res.destroy()
    return
  }
  const { req } = res
  const problem = toProblem(error, {
    place: (pointer) => placeOf(exchange, pointer),
    repeatable: !exchange.endpoint?.refusesIdempotencyKey,
  })
  const body = problemJson(problem, exchange)
  res
    .writeHead(problem.status, {
      ...exchange.headers,
      ...problem.headers,
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    })
    .end(body)
  dropRest(req)
  exchange.problem = problem.code
  if (problem.status >= 500) logFailure(exchange, problem, logging)
}

/**
 * What a refused caller still sends is read and dropped, so that the answer arrives, but not for ever. One that waits
 * for `100 Continue` never sends it: Node closes such a connection by itself.
 */
function dropRest(req: IncomingMessage): void {
  if (req.complete) return
  const timer = setTimeout(() => req.socket.destroy(), LINGER_MILLISECONDS)
  req.once('close', () => clearTimeout(timer))
}

const LINGER_MILLISECONDS = 2_000

function placeOf({ endpoint }: Exchange, pointer: string): Place {
  const field = pointer.slice(1)
  if (endpoint && field in endpoint.path.shape) return 'path'
  return endpoint && !endpoint.body ? 'query' : 'body'
}

function logFailure(exchange: Exchange, problem: ProblemError, { clock, logger }: Logging): void {
  const { requestId, method, path, startedAt } = exchange
  const outage = outageOf(resourceOf(exchange), problem)
  const { status, code, cause } = problem
  const milliseconds = clock() - startedAt
  logger.error(
    { outage, requestId, method, path, status, milliseconds, code, err: cause ?? problem },
    'could not answer',
  )
}
