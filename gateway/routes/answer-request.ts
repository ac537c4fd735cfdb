import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiKeys, Caller } from '../../shared/api-keys/serving/api-keys.ts'
import type { MemoryBudget } from '../../shared/budget/budget.ts'
import type { Charge } from '../../shared/budget/charge.ts'
import { bytesOfPage, FORMS_IN_MEMORY } from '../../shared/budget/make-within.ts'
import { PIECE_BYTES } from '../../shared/budget/pace.ts'
import type { Share } from '../../shared/budget/pool.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CALLER_LEFT } from '../../shared/calls/errors.ts'
import type { KeyLanes } from '../../shared/calls/lanes.ts'
import { whenLeft } from '../../shared/calls/when-left.ts'
import { within } from '../../shared/runtime/tracing/tracing.ts'
import { originOf } from '../http/client-address.ts'
import { requireOverrideScope } from '../http/closing-override.ts'
import { whileWaiting } from '../http/connections.ts'
import { inTime } from '../http/deadline.ts'
import type { End } from '../http/end-together.ts'
import { chargeTo, type Exchange } from '../http/exchange.ts'
import { type CheckedInput, checkInput } from '../http/input.ts'
import { problemOf } from '../http/respond.ts'
import type { ChunkServing } from '../http/send-chunks.ts'
import type { Limits } from '../limits.ts'
import { ProblemError } from '../problem.ts'
import type { Answer, ChunkedAnswer } from './answer.ts'
import { callContext } from './call-context.ts'
import { authenticateAgain, requireScope } from './caller.ts'
import type { RouteDependencies } from './dependencies.ts'
import type { Endpoint, Perform } from './endpoint.ts'
import { nextLink } from './next-page.ts'
import type { PathParameters } from './route-table.ts'

/** What every route needs. */
export interface Serving extends ChunkServing {
  readonly dependencies: RouteDependencies
  readonly apiKeys: ApiKeys
  readonly limits: Limits
  readonly budget: MemoryBudget
  readonly clock: () => number
  /** Ends responses in batches. */
  readonly end: End
  readonly endAtOnce: End
  readonly lanes: KeyLanes
  /** How long a body may take to arrive, in milliseconds. */
  readonly bodyMilliseconds: number
}

/** A request that its caller is allowed to make. */
export interface RunningRequest {
  readonly res: ServerResponse
  readonly exchange: Exchange
  readonly key: Caller
  readonly parameters: PathParameters
  /** The caller's share of the memory budget. */
  readonly share: Share
}

/** A running request with its body. */
interface Readable extends RunningRequest {
  readonly body: unknown
  /** Its headers. */
  readonly req: Pick<IncomingMessage, 'headers' | 'rawHeaders'>
}

/** Answers a request whose input was checked. Returns the answer, and what is charged for it. */
export async function answerTo(endpoint: Endpoint, request: Readable, input: CheckedInput, serving: Serving) {
  const { res, exchange, key, body, req } = request
  const isWrite = exchange.method !== 'GET' && exchange.method !== 'HEAD'
  const bytes = endpoint.memory ?? bytesOfPage(input.query)
  const lane = isWrite ? 'write' : bytes > ONE_RECORD ? 'long-read' : 'record'
  // A write whose answer is dropped would leave its caller in doubt.
  const revoke = isWrite ? undefined : () => res.destroy()
  const origin = endpoint.isOpen ? originOf(res.req) : ''
  const perform = performing(request, serving)
  let ask = (context: CallContext) =>
    endpoint.answer(
      { ...input, context, caller: key, headers: req.headers, origin, perform } as never,
      serving.dependencies,
    )
  for (let leaving: AbortSignal | undefined; ; ) {
    const room = roomFor(request, FORMS_IN_MEMORY * bytes, serving.deadlineMilliseconds, revoke)
    // Not awaited without need: nearly always there is room.
    const charge = room instanceof Promise ? await room : room
    // Meanwhile its key may have been revoked. When a body is complete is up to its caller.
    const mayHaveWaited = isWrite || room instanceof Promise || leaving !== undefined
    if (mayHaveWaited && !endpoint.isOpen) await authenticateAgain(exchange, serving)
    const make = () => {
      const context = callContext(exchange, { ...input, key, body }, serving)
      return exchange.span ? within(exchange.span.traceparent, () => ask(context)) : ask(context)
    }
    // Callers without a key have no lanes: those would have to be kept for each address.
    const made = endpoint.isOpen ? make() : serving.lanes(key.principal, lane, make, res)
    const answer = await inTime(made, endpoint.timeoutMilliseconds ?? serving.deadlineMilliseconds, isWrite)
    if (!('wait' in answer)) {
      const inMemory = withLink(inBytes(answer), exchange)
      charge.resize(bytesOfAnswer(inMemory))
      return { answer: inMemory, charge }
    }
    charge.release()
    leaving ??= whenLeft(res)
    await whileWaiting(res, answer.wait(leaving))
    leaving.throwIfAborted()
    ask = answer.answer
  }
}

/** See Perform. The request that this one is part of has been counted, authenticated and parsed. */
function performing(request: Readable, serving: Serving): Perform {
  return async (endpoint, { body, parameters, headers, ...target }) => {
    const exchange = { ...request.exchange, ...target, endpoint }
    const req = { headers, rawHeaders: Object.entries(headers).flat() }
    try {
      requireScope(request.key, endpoint.scope)
      requireOverrideScope(endpoint, request.key, req)
      const input = checkInput(endpoint, { parameters, query: exchange.query, body, req })
      const { answer, charge } = await answerTo(endpoint, { ...request, exchange, body, req }, input, serving)
      return { status: answer.status, headers: answer.headers, body: await wholeText(answer, charge) }
    } catch (error) {
      if (error === CALLER_LEFT) throw error
      throw problemOf(error, exchange, { headers, ...serving })
    }
  }
}

/** An answer as one text. The charge covers the copy that is made of it, too. */
async function wholeText(answer: Answer | ChunkedAnswer, charge: Charge): Promise<string> {
  const more = 'makeChunk' in answer ? answer.makeChunk : async () => undefined
  let chunk = 'body' in answer ? answer.body : await more()
  let text = ''
  for (; chunk !== undefined; chunk = await more()) {
    text += chunk
    if (charge.resize(WHOLE_FORMS * text.length)) continue
    throw new ProblemError('validation_failed', {
      detail: 'This answer is too long. Ask for less: give a lower limit.',
    })
  }
  return text
}

/** 2 bytes a character, and the same again for the text that it becomes part of. */
const WHOLE_FORMS = 4

/** The most that one record takes, in bytes. */
const ONE_RECORD = bytesOfPage({})

/** A long text as bytes: outside V8's heap, and of known size. */
function inBytes<Any extends Answer | ChunkedAnswer>(answer: Any): Any {
  if ('makeChunk' in answer || typeof answer.body !== 'string' || answer.body.length < LONG_TEXT) return answer
  return { ...answer, body: Buffer.from(answer.body) }
}

/** In UTF-16 code units. */
const LONG_TEXT = 64 * 1024

/** Adds the Link header, unless this is the last page. */
function withLink<Any extends Answer | ChunkedAnswer>(answer: Any, exchange: Exchange): Any {
  if (!answer.next) return answer
  return { ...answer, headers: { ...answer.headers, Link: nextLink(exchange, answer.next) } }
}

/** What an answer takes in memory; of a long one: the piece being sent and the one being made. */
function bytesOfAnswer(answer: Answer | ChunkedAnswer): number {
  if ('makeChunk' in answer) return 2 * PIECE_BYTES
  // At most 2 bytes a character in memory, although up to 3 in UTF-8.
  return typeof answer.body === 'string' ? 2 * answer.body.length : answer.body.length
}

/**
 * Waits until the caller may hold this many bytes, and charges them until the exchange is over. Rejects with
 * CALLER_LEFT if the caller leaves meanwhile.
 */
export function roomFor(
  { res, exchange, share }: Pick<RunningRequest, 'res' | 'exchange' | 'share'>,
  bytes: number,
  milliseconds: number,
  revoke?: () => void,
): Charge | Promise<Charge> {
  const charged = (charge: Charge): Charge => {
    chargeTo(exchange, charge)
    return charge
  }
  const room = share.wait(bytes, milliseconds, { revoke, leaving: () => whenLeft(res) })
  return room instanceof Promise ? room.then(charged) : charged(room)
}
