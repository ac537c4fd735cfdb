import type { RequestHandler } from 'express'
import { exchangeOf } from '../exchange.ts'
import { ProblemError } from '../problem.ts'
import { sendAnswer } from '../respond.ts'
import type { Serving } from './serve.ts'

/** `/healthz`: whether the process answers at all. Takes no key. */
export function serveHealth(serving: Serving): RequestHandler {
  return (_req, res) => {
    const { method } = exchangeOf(res)
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ProblemError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
    }
    sendAnswer(res, { status: 200, body: '{"status":"ok"}', headers: {} }, serving)
  }
}
