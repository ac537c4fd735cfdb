import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { startFairly } from '../../shared/calls/fair-starts.ts'
import { fileBytes, hasBody, jsonBytes, parseBody, readFileBody, readJsonBody } from '../http/body.ts'
import { requireOverrideScope } from '../http/closing-override.ts'
import { setOwner, whileWaiting } from '../http/connections.ts'
import { type Exchange, releaseIfOver, traceExchange } from '../http/exchange.ts'
import { checkInput, inspectInput } from '../http/input.ts'
import { checkMediaType } from '../http/media-type.ts'
import { sendAnswer } from '../http/respond.ts'
import { sendChunks } from '../http/send-chunks.ts'
import { methodNotAllowed } from '../problem.ts'
import type { Answer } from './answer.ts'
import { answerTo, type RunningRequest, roomFor, type Serving } from './answer-request.ts'
import { callContext } from './call-context.ts'
import { authenticateAgain, callerOf, keylessCaller, requireScope } from './caller.ts'
import type { BodyRule, Endpoint, Method, Route } from './endpoint.ts'
import type { PathParameters } from './route-table.ts'

/** Answers a request, or rejects with what went wrong. */
export type Handler = (res: ServerResponse, exchange: Exchange, parameters: PathParameters) => Promise<void>

/** The handler of one path: runs every check in the order that the API promises, then calls the service. */
export function serve(route: Route, serving: Serving): Handler {
  const allow = allowedMethods(route)
  const { limits, budget } = serving
  return async (res, exchange, parameters) => {
    const { req } = res
    exchange.route = route.path
    exchange.isInProgress = true
    try {
      const endpoint = endpointOf(route, exchange.method)
      if (!endpoint) throw methodNotAllowed(allow)
      exchange.endpoint = endpoint
      const caller = endpoint.isOpen ? keylessCaller(req) : callerOf(req, exchange, serving)
      // Not awaited without need, nor in one more async function: that takes 10 % of a GET.
      const key = caller instanceof Promise ? await caller : caller
      if (endpoint.isOpen) limits.countKeyless(req, exchange)
      else {
        setOwner(req.socket, key.principal)
        limits.countKey(key, exchange)
        traceExchange(exchange, req)
      }
      const share = endpoint.isOpen ? budget.ofAddress(key.principal) : budget.ofKey(key.principal)
      requireScope(key, endpoint.scope)
      requireOverrideScope(endpoint, key, req)
      const request = { res, exchange, key, parameters, share }
      if (endpoint.file) return sendAnswer(res, exchange, await answerFile(endpoint, request, serving), serving.end)
      const reading = endpoint.body && readBody(request, endpoint.body, serving)
      // Otherwise callers without a key could take up every connection.
      const bytes = reading && (await (endpoint.isOpen ? whileWaiting(res, reading) : reading))
      const checking = parseAndCheck(endpoint, request, bytes)
      const { body, input } = checking instanceof Promise ? await checking : checking
      const { answer, charge } = await answerTo(endpoint, { ...request, body, req }, input, serving)
      if (!('makeChunk' in answer)) return sendAnswer(res, exchange, answer, serving.end)
      const checkKey = () => authenticateAgain(exchange, serving)
      await sendChunks(res, exchange, answer, { caller: key.principal, checkKey, charge, serving })
    } finally {
      exchange.isInProgress = false
      releaseIfOver(exchange)
    }
  }
}

/** While a file is imported, its rows are in memory in several forms. */
const FILE_FORMS = 5

/** Answers an endpoint that takes a file. The request as a whole has no deadline. */
async function answerFile(endpoint: Endpoint, request: RunningRequest, serving: Serving): Promise<Answer> {
  const { res, exchange, key, parameters } = request
  const { deadlineMilliseconds: callMilliseconds, bodyMilliseconds: milliseconds } = serving
  checkMediaType(res.req, endpoint.file?.mediaTypes ?? [])
  await roomFor(request, FILE_FORMS * fileBytes(res.req), milliseconds)
  const bytes = await readFileBody(res, { milliseconds, arriving: exchange.arriving })
  const checkKey = () => authenticateAgain(exchange, serving)
  await checkKey()
  const raw = { parameters, query: exchange.query, body: undefined, req: res.req }
  const input = inspectInput(endpoint, raw)
  const { query = {}, idempotencyKey, errors } = input
  const { deadline: _, ...context } = callContext(exchange, { ...input, key, body: hash('sha256', bytes) }, serving)
  const file = { bytes, idempotencyKey, errors, callMilliseconds, checkKey }
  return (await endpoint.answer({ query, context, file } as never, serving.dependencies)) as Answer
}

const EMPTY_OBJECT = Buffer.from('{}')

async function readBody(
  request: RunningRequest,
  rule: BodyRule,
  { bodyMilliseconds: milliseconds, deadlineMilliseconds }: Serving,
): Promise<Uint8Array> {
  const { res, exchange } = request
  if (rule.optional && !hasBody(res.req)) return EMPTY_OBJECT
  checkMediaType(res.req, rule.mediaTypes)
  await roomFor(request, jsonBytes(res.req), deadlineMilliseconds)
  return await readJsonBody(res, { milliseconds, arriving: exchange.arriving })
}

/**
 * Parses the body and checks all parts of a request. Hundreds of bodies can be completed at once, so each waits for its
 * caller's turn. Throws, or rejects with, malformed_json or validation_failed; rejects with CALLER_LEFT.
 */
function parseAndCheck(
  endpoint: Endpoint,
  { res, exchange, key, parameters }: RunningRequest,
  bytes: Uint8Array | undefined,
) {
  const check = () => {
    const sent = bytes && parseBody(bytes)
    // Generated clients for Go and Java send null for a body that their caller omits.
    const body = sent === null && endpoint.body?.optional ? {} : sent
    return { body, input: checkInput(endpoint, { parameters, query: exchange.query, body, req: res.req }) }
  }
  return bytes === undefined ? check() : startFairly(key.principal, check, res)
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
