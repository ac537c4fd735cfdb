import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
  /** The pieces of long answers are made in these, one per caller at a time. */
  readonly pieces: Lanes
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

type ChunkMaking = <Result>(make: () => Promise<Result>) => Promise<Result>

/**
 * Writes an answer chunk by chunk, at the pace of the caller. If a chunk fails, the connection is cut, so that nobody
 * mistakes what arrived for the whole. Rejects, with nothing written, if the first chunk fails. `caller`: the id of the
 * key; `checkKey`: throws if the key is no longer valid, which also cuts the answer; `charge`: for the answer.
 */
export async function sendChunks(
  res: ServerResponse,
  exchange: Exchange,
  { status, headers, chunks: made }: ChunkedAnswer,
  { caller, checkKey, charge, serving }: ChunkOptions,
): Promise<void> {
  const { deadlineMilliseconds, stalledMilliseconds, pieces, logger } = serving
  const leaving = whenLeft(res)
  // Each chunk has a time limit; the whole has none. Once it has begun, only the rest of this answer can follow.
  let timeout = deadlineMilliseconds
  const inTurn: ChunkMaking = (make) =>
    pieces(caller, async () => {
      // Chunks that need no I/O would otherwise be made back to back and block the event loop.
      await nextTurn()
      leaving.throwIfAborted()
      return await unlessAborted(leaving, inTime(checkKey().then(make), timeout, false))
    })
  const chunks = eachInTurn(made, inTurn, charge)
  let first: IteratorResult<Buffer, undefined> | undefined = await chunks.next()
  timeout = stalledMilliseconds
  async function* all(): AsyncGenerator<Buffer, undefined> {
    if (first && !first.done) yield first.value
    // Released: the caller may take minutes to read the rest.
    first = undefined
    return yield* chunks
  }
  dropRestOfBody(res)
  res.writeHead(status, Object.assign(exchange.headers, headers))
  if (exchange.method === 'HEAD') {
    res.end()
    await chunks.return(undefined)
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

/** Rejects with the signal's reason if that aborts first: the caller's other answers wait for this piece. */
function unlessAborted<Result>(signal: AbortSignal, made: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort)
    made.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function* eachInTurn(
  chunks: AsyncIterable<string>,
  inTurn: ChunkMaking,
  charge: Charge,
): AsyncGenerator<Buffer, undefined> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await inTurn(() => iterator.next())
      if (next.done) return undefined
      // Usually what is already charged; but rows may be much longer than earlier ones.
      if (!charge.resize(Math.max(2 * PIECE_BYTES, BYTES_PER_CHARACTER * next.value.length))) throw memoryExceeded()
      // A buffer is outside V8's heap, and is sent without another copy.
      yield Buffer.from(next.value)
    }
  } finally {
    // Not awaited: it settles only after the chunk in progress, which may never come.
    iterator.return?.().catch(() => undefined)
  }
}

/** A piece is in memory as text, at up to 2 bytes a character, while the one before is sent. */
const BYTES_PER_CHARACTER = 4

/** The caller's share of memory is used up, or its key is no longer valid: not failures. */
const REFUSALS: readonly number[] = [429, 401]

/** A caller that leaves while a piece waits for its turn causes two errors, which the pipeline reports as one. */
function hasCallerLeft(error: unknown): boolean {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  return errors.every(
    (one) => one === CALLER_LEFT || (one as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE',
  )
}
