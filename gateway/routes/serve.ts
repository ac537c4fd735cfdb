import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiKeys, Caller } from '../../shared/api-keys/serving/api-keys.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { authenticate, requireScope } from '../authenticate.ts'
import { checkFileLength, hasBody, readFileBody, readJson } from '../http/body.ts'
import { inTime } from '../http/deadline.ts'
import type { End } from '../http/end-together.ts'
import { malformedHeader } from '../http/entity-tags.ts'
import { countHeader, type Exchange } from '../http/exchange.ts'
import type { FileSlots } from '../http/file-slots.ts'
import { writeIdentity } from '../http/idempotency.ts'
import { checkInput, inspectInput } from '../http/input.ts'
import { checkMediaType } from '../http/media-type.ts'
import { sendAnswer } from '../http/respond.ts'
import { sendChunks } from '../http/send-chunks.ts'
import type { UnsentAnswers } from '../http/unsent.ts'
import type { Limits } from '../limits.ts'
import { ProblemError } from '../problem.ts'
import type { Answer } from './answer.ts'
import type { BodyRule, Endpoint, Method, Route } from './endpoint.ts'
import type { PathParameters } from './route-table.ts'

/** What every route needs. */
export interface Serving {
  readonly apiKeys: ApiKeys
  readonly limits: Limits
  readonly clock: () => number
  readonly logger: Logger
  /** Ends responses in batches. */
  readonly end: End
  readonly endAtOnce: End
  readonly unsent: UnsentAnswers
  /** How long a service may take to answer, in milliseconds. */
  readonly deadlineMilliseconds: number
  readonly fileSlots: FileSlots
  /** How long a body may take to arrive, in milliseconds. */
  readonly bodyMilliseconds: number
}

/** A service gets a little less time than the gateway waits, so that its own error at the deadline still arrives. */
const SERVICE_SHARE = 0.95

/** Answers a request, or rejects with what went wrong. */
export type Handler = (res: ServerResponse, exchange: Exchange, parameters: PathParameters) => Promise<void>

/** The handler of one path: runs every check in the order that the API promises, then calls the service. */
export function serve(route: Route, serving: Serving): Handler {
  const allow = allowedMethods(route)
  return async (res, exchange, parameters) => {
    const { req } = res
    exchange.route = route.path
    const endpoint = endpointOf(route, exchange.method)
    if (!endpoint) throw new ProblemError('method_not_allowed', { headers: { Allow: allow } })
    exchange.endpoint = endpoint
    const key = await authenticate(onlyAuthorization(req), serving.apiKeys)
    await serving.limits.countKey(key, exchange)
    requireScope(key, endpoint.scope)
    if (endpoint.file) {
      checkMediaType(req, endpoint.file.mediaTypes)
      checkFileLength(req)
      const request = { res, exchange, key, parameters }
      const answer = await serving.fileSlots(res, async () => {
        // The key may have been revoked while the file waited for its turn.
        await authenticate(onlyAuthorization(req), serving.apiKeys)
        return await answerFile(endpoint, request, serving)
      })
      return sendAnswer(res, exchange, answer, serving.end)
    }
    const body = endpoint.body && (await readBody(res, exchange, endpoint.body, serving))
    const raw = { parameters, query: exchange.query, body, headers: req.headers }
    const input = checkInput(endpoint, raw)
    const context = callContext(exchange, { key, body, idempotencyKey: input.idempotencyKey }, serving)
    const isWrite = exchange.method !== 'GET' && exchange.method !== 'HEAD'
    const answer = await inTime(
      endpoint.answer({ ...input, context, caller: key } as never),
      serving.deadlineMilliseconds,
      isWrite,
    )
    if ('chunks' in answer) await sendChunks(res, exchange, answer, serving)
    else sendAnswer(res, exchange, answer, serving.end)
  }
}

interface RequestWithFile {
  readonly res: ServerResponse
  readonly exchange: Exchange
  readonly key: Caller
  readonly parameters: PathParameters
}

/** Answers an endpoint that takes a file. The request as a whole has no deadline. */
async function answerFile(
  endpoint: Endpoint,
  { res, exchange, key, parameters }: RequestWithFile,
  serving: Serving,
): Promise<Answer> {
  const { deadlineMilliseconds: callMilliseconds, bodyMilliseconds: milliseconds } = serving
  const bytes = await readFileBody(res, { milliseconds, arriving: exchange.arriving })
  const raw = { parameters, query: exchange.query, body: undefined, headers: res.req.headers }
  const { query = {}, idempotencyKey, errors } = inspectInput(endpoint, raw)
  const { deadline: _, ...context } = callContext(
    exchange,
    { key, body: hash('sha256', bytes), idempotencyKey },
    serving,
  )
  const file = { bytes, idempotencyKey, errors, callMilliseconds }
  return (await endpoint.answer({ query, context, file } as never)) as Answer
}

/** The Authorization header. Throws validation_failed if there are two: a proxy may have checked the other. */
function onlyAuthorization({ headers, rawHeaders }: IncomingMessage): string | undefined {
  if (countHeader(rawHeaders, 'authorization') <= 1) return headers.authorization
  throw new ProblemError('validation_failed', { errors: [malformedHeader('Authorization', 'Give it once.')] })
}

async function readBody(
  res: ServerResponse,
  { arriving }: Exchange,
  rule: BodyRule,
  { bodyMilliseconds: milliseconds }: Serving,
): Promise<unknown> {
  const { req } = res
  if (rule.optional && !hasBody(req)) return {}
  checkMediaType(req, rule.mediaTypes)
  return await readJson(res, { milliseconds, arriving })
}

/** `GET, HEAD, POST`: what an Allow header says. */
function allowedMethods(route: Route): string {
  return Object.keys(route.methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

function endpointOf(route: Route, method: string): Endpoint | undefined {
  return route.methods[(method === 'HEAD' ? 'GET' : method) as Method]
}

/** What the service gets besides the request; for a write, that includes its identity. */
function callContext(
  { requestId, method, path }: Exchange,
  { key, body, idempotencyKey }: { key: Caller; body: unknown; idempotencyKey: string | undefined },
  { clock, deadlineMilliseconds }: Serving,
): CallContext {
  const deadline = clock() + deadlineMilliseconds * SERVICE_SHARE
  const context = { actor: key.id, requestId, deadline, overridesClosing: key.scopes.includes('closing:override') }
  if (body === undefined) return context
  const request = { apiKeyId: key.id, idempotencyKey, method, path: decodeURIComponent(path), body }
  return { ...context, ...writeIdentity(request) }
}
