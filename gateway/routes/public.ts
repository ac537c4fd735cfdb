import type { Request } from 'express'
import { addressOf } from '../http/client-address.ts'
import { makeReplaceable } from '../http/connections.ts'
import type { FileRequest } from '../http/file-answer.ts'
import { sendAnswer } from '../http/respond.ts'
import type { Documented } from '../openapi/documented.ts'
import { methodNotAllowed, ProblemError } from '../problem.ts'
import type { Answer } from './answer.ts'
import { roomFor, type Serving } from './answer-request.ts'
import type { Route } from './endpoint.ts'
import type { Handler } from './serve.ts'

/** A path that anyone may read, without a key; its query is ignored. */
export interface PublicRoute {
  /** It may end in `*` and a name, for all that follows. */
  readonly path: string
  /** undefined: not in the OpenAPI document, like the files that a page loads. */
  readonly documented: Documented | undefined
  /** Whether it is exempt from the rate limit, because its answer costs nothing. */
  readonly isUnlimited?: boolean
  /** Whether it calls services, which may be unavailable. */
  readonly asksServices?: boolean
  /** Whether it is, or belongs to, a page that people give a key to: served under Mint's own host names only. */
  readonly isPage?: boolean
  readonly answer: (request: FileRequest) => Answer | Promise<Answer>
}

export type AnyRoute = Route | PublicRoute

/** The handler of a public path: GET and HEAD only. */
export function servePublic(route: PublicRoute, serving: Serving, isOwnHost: (host: string) => boolean): Handler {
  const { limits, endAtOnce, budget, deadlineMilliseconds } = serving
  return async (res, exchange) => {
    const req = res.req as Request
    exchange.route = route.path
    makeReplaceable(res)
    if (!route.isUnlimited) limits.countAddress(req, exchange)
    if (route.isPage && !isOwnHost(req.headers.host ?? '')) throw new ProblemError('misdirected_request')
    const { method } = exchange
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD')
    const request = {
      path: exchange.path,
      ifNoneMatch: req.headers['if-none-match'],
      acceptsGzip: req.acceptsEncodings('gzip') === 'gzip',
    }
    const answer = await route.answer(request)
    // A file is in memory once, but a copy for each caller may wait to be sent.
    if (answer.body.length > MAX_UNCHARGED_BYTES && method === 'GET') {
      const share = budget.ofAddress(addressOf(req))
      await roomFor({ res, exchange, share }, answer.body.length, deadlineMilliseconds, () => res.destroy())
    }
    sendAnswer(res, exchange, answer, endAtOnce)
  }
}

/** Answers such as those to health checks are too small to charge. */
const MAX_UNCHARGED_BYTES = 4 * 1024
