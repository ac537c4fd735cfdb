import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { CALLER_LEFT, outageOf } from '../../shared/calls/errors.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { spanIds } from '../../shared/runtime/tracing/tracing.ts'
import type { Location, ProblemError } from '../problem.ts'
import type { Answer } from '../routes/answer.ts'
import type { End } from './end-together.ts'
import { problemJson, toProblem } from './error-to-problem.ts'
import { type Exchange, resourceOf } from './exchange.ts'
import { dropRestOfBody } from './rest-of-body.ts'

interface Sending {
  readonly clock: () => number
  readonly endAtOnce: End
  readonly logger: Logger
}

/** Writes an answer, headers and body in one piece, when `end` decides. */
export function sendAnswer(res: ServerResponse, exchange: Exchange, answer: Answer, end: End): void {
  dropRestOfBody(res)
  const { status, body, headers } = answer
  const all: Record<string, string | number> = Object.assign(exchange.headers, headers)
  if (body !== '') {
    all['Content-Type'] ??= 'application/json; charset=utf-8'
    all['Content-Length'] = Buffer.byteLength(body)
  }
  end(res.writeHead(status, all), body)
}

/** Answers with the problem for an error. */
export function sendProblem(
  res: ServerResponse,
  exchange: Exchange,
  error: unknown,
  { endAtOnce, ...logging }: Sending,
): void {
  if (error === CALLER_LEFT || res.headersSent) {
    res.destroy()
    return
  }
  const problem = problemOf(error, exchange, { headers: res.req.headers, ...logging })
  const headers = { ...problem.headers, 'Content-Type': 'application/problem+json; charset=utf-8' }
  sendAnswer(res, exchange, { status: problem.status, body: problemJson(problem, exchange), headers }, endAtOnce)
}

/** The problem for an error; a failure is also logged, with its cause. `headers`: the request's. */
export function problemOf(
  error: unknown,
  exchange: Exchange,
  { headers, ...logging }: Omit<Sending, 'endAtOnce'> & { readonly headers: IncomingHttpHeaders },
): ProblemError {
  const problem = toProblem(error, {
    location: (pointer) => locationOf(exchange, pointer),
    repeatable: headers['idempotency-key'] !== undefined,
  })
  exchange.problem = problem.code
  if (problem.status >= 500) logFailure(exchange, problem, logging)
  return problem
}

function locationOf({ endpoint }: Exchange, pointer: string): Location {
  const field = pointer.slice(1)
  if (endpoint && field in endpoint.path.shape) return 'path'
  return endpoint && !endpoint.body && !endpoint.file ? 'query' : 'body'
}

function logFailure(
  exchange: Exchange,
  problem: ProblemError,
  { clock, logger }: Pick<Sending, 'clock' | 'logger'>,
): void {
  const { requestId, method, path, startedAt, span } = exchange
  const request = { requestId, method, path, ...spanIds(span?.traceparent) }
  const outage = outageOf(resourceOf(exchange), problem)
  const { status, code, cause } = problem
  const milliseconds = clock() - startedAt
  logger.error({ outage, ...request, status, milliseconds, code, err: cause ?? problem }, 'could not answer')
}
