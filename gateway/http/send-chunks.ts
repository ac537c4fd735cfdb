import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { unlessAborted } from '../../shared/async/unless-aborted.ts'
import type { Charge } from '../../shared/budget/charge.ts'
import { PIECE_BYTES } from '../../shared/budget/pace.ts'
import { memoryExceeded } from '../../shared/budget/pool.ts'
import { CALLER_LEFT, outageOf } from '../../shared/calls/errors.ts'
import type { Lanes } from '../../shared/calls/lanes.ts'
import { whenLeft } from '../../shared/calls/when-left.ts'
import { closeWhenStalled } from '../../shared/runtime/http/close-when-stalled.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import type { ChunkedAnswer } from '../routes/answer.ts'
import { inTime } from './deadline.ts'
import { toProblem } from './error-to-problem.ts'
import { type Exchange, resourceOf } from './exchange.ts'
import { dropRestOfBody } from './rest-of-body.ts'

/** What every answer in chunks needs. */
export interface ChunkServing {
  readonly logger: Logger
  /** The chunks of long answers are made in these, one per caller at a time. */
  readonly chunkLanes: Lanes
  /** How long a caller may take nothing of an answer before the connection is closed, in milliseconds. */
  readonly stalledMilliseconds: number
  /** How long a service may take to answer, in milliseconds. */
  readonly deadlineMilliseconds: number
}

interface ChunkOptions {
  readonly caller: string
  readonly checkKey: () => Promise<void>
  readonly charge: Charge
  readonly serving: ChunkServing
}

/**
 * Writes an answer chunk by chunk, at the pace of the caller. If a chunk fails, the connection is cut, so that nobody
 * mistakes what arrived for the whole. Rejects, with nothing written, if the first chunk fails. `caller`: the id of the
 * key; `checkKey`: throws if the key is no longer valid, which also cuts the answer; `charge`: for the answer.
 */
export async function sendChunks(
  res: ServerResponse,
  exchange: Exchange,
  { status, headers, makeChunk }: ChunkedAnswer,
  { caller, checkKey, charge, serving }: ChunkOptions,
): Promise<void> {
  const { deadlineMilliseconds, stalledMilliseconds, chunkLanes, logger } = serving
  const leaving = whenLeft(res)
  // Each chunk has a time limit; the whole has none. Once it has begun, only the rest of this answer can follow.
  let timeout = deadlineMilliseconds
  const next = async (): Promise<Buffer | undefined> => {
    const text = await chunkLanes(caller, async () => {
      // Chunks that need no I/O would otherwise be made back to back and block the event loop.
      await nextTurn()
      leaving.throwIfAborted()
      // The caller's other answers wait for this chunk.
      return await unlessAborted(leaving, inTime(checkKey().then(makeChunk), timeout, false))
    })
    if (text === undefined) return undefined
    // Usually what is already charged; but rows may be much longer than earlier ones.
    if (!charge.resize(Math.max(2 * PIECE_BYTES, BYTES_PER_CHARACTER * text.length))) throw memoryExceeded()
    // A buffer is outside V8's heap, and is sent without another copy.
    return Buffer.from(text)
  }
  let chunk = await next()
  timeout = stalledMilliseconds
  // Keeps nothing of what is yielded: see Piecewise.
  const take = (): Buffer | undefined => {
    const taken = chunk
    chunk = undefined
    return taken
  }
  async function* all(): AsyncGenerator<Buffer | undefined, undefined> {
    for (; chunk !== undefined; chunk = await next()) yield take()
  }
  dropRestOfBody(res)
  res.writeHead(status, Object.assign(exchange.headers, headers))
  if (exchange.method === 'HEAD') {
    res.end()
    return
  }
  closeWhenStalled(res, stalledMilliseconds)
  try {
    await pipeline(all(), res)
  } catch (error) {
    res.destroy()
    const problem = toProblem(error, { location: () => 'query', repeatable: true })
    if (hasCallerLeft(error) || REFUSALS.includes(problem.status)) return
    const { requestId, method, path } = exchange
    const outage = outageOf(resourceOf(exchange), problem)
    logger.error({ outage, requestId, method, path, err: error }, 'an answer was cut off half-way')
  }
}

/** A chunk is in memory as text, at up to 2 bytes a character, while the one before is sent. */
const BYTES_PER_CHARACTER = 4

/** The caller's share of memory is used up, or its key is no longer valid: not failures. */
const REFUSALS: readonly number[] = [429, 401]

/** A caller that leaves while a chunk waits for its turn causes two errors, which the pipeline reports as one. */
function hasCallerLeft(error: unknown): boolean {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  return errors.every(
    (one) => one === CALLER_LEFT || (one as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE',
  )
}
