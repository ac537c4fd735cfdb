import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { outageOf } from '../../shared/calls/errors.ts'
import type { AnswerInParts } from '../routes/answer.ts'
import type { Serving } from '../routes/serve.ts'
import { inTime } from './deadline.ts'
import { type Exchange, resourceOf } from './exchange.ts'
import { dropRestOfBody } from './rest-of-body.ts'

/**
 * Writes an answer part by part, at the pace of the caller. If a part fails, the connection is cut, so that nobody
 * mistakes what arrived for the whole. Rejects, with nothing written, if the first part fails.
 */
export async function sendParts(
  res: ServerResponse,
  exchange: Exchange,
  { status, headers, ...making }: AnswerInParts,
  { deadlineMilliseconds, unsent, logger }: Pick<Serving, 'deadlineMilliseconds' | 'unsent' | 'logger'>,
): Promise<void> {
  // The deadline applies to each part; the whole has none.
  const parts = eachInTurn(making, deadlineMilliseconds)
  const first = await parts.next()
  dropRestOfBody(res)
  res.writeHead(status, Object.assign(exchange.headers, headers))
  if (exchange.method === 'HEAD') {
    res.end()
    await parts.return(undefined)
    return
  }
  unsent.watchParts(res)
  try {
    if (!first.done) res.write(first.value)
    await pipeline(parts, res)
  } catch (error) {
    res.destroy()
    if (hasCallerLeft(error)) return
    const { requestId, method, path } = exchange
    const outage = outageOf(resourceOf(exchange), error)
    logger.error({ outage, requestId, method, path, err: error }, 'an answer was cut off half-way')
  }
}

async function* eachInTurn(
  { parts, turns }: Pick<AnswerInParts, 'parts' | 'turns'>,
  milliseconds: number,
): AsyncGenerator<string, undefined> {
  const iterator = parts[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await turns(() => inTime(iterator.next(), milliseconds, false))
      if (next.done) return undefined
      yield next.value
    }
  } finally {
    // Not awaited: it settles only after the part in progress, which may never come.
    iterator.return?.().catch(() => undefined)
  }
}

function hasCallerLeft(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
}
