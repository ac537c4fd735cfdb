import { randomUUID } from 'node:crypto'
import { type ServerDuplexStream, type ServiceError, status } from '@grpc/grpc-js'
import type { Charge } from '../../budget/charge.ts'
import { CALLER_LEFT } from '../../calls/errors.ts'
import {
  type Answer,
  type Call,
  CallStreamServiceService,
  ExchangeRequest,
  type ExchangeResponse,
} from '../../gen/mint/rpc/v1/call_stream.ts'
import type { AnswerMethod } from '../server/answer-method.ts'
import { serviceError } from '../status.ts'
import { createFrameSender } from './frame-sender.ts'
import { outcomeOf } from './outcome.ts'

export interface CallStreamServiceOptions {
  /** Finds what answers a method such as `mint.contracts.v1.ContractsService/GetContract`. */
  find(method: string): AnswerMethod | undefined
  /** While not ready, the server refuses streams, so that callers use other replicas. */
  isReady(): boolean
  /** Whether writes are fastest through this replica. */
  appends(): boolean
}

/** Interval of announcements to each caller, in milliseconds. */
const ANNOUNCED_EVERY = 250
/** Backpressure: while the caller hasn't taken the answers of this many calls, the stream isn't read. */
const MAX_UNTAKEN = 10_000

type Stream = ServerDuplexStream<ExchangeRequest, ExchangeResponse>

/** Answers many calls per stream, and announces on each stream what callers need to choose a server. */
export function callStreamService({ find, isReady, appends }: CallStreamServiceOptions) {
  const server = randomUUID()
  const open = new Set<Stream>()
  let closing = false

  function announceTo(streams: Iterable<Stream>): void {
    const announcement = { server, closing, appends: appends(), announcedEveryMilliseconds: ANNOUNCED_EVERY }
    for (const stream of streams) if (!stream.writableEnded) stream.write({ ...announcement, answers: [] })
    if (closing && open.size === 0) clearInterval(announcing)
  }

  // Also announced to callers that send no more: they await answers, and would consider a silent server lost.
  const announcing = setInterval(announceTo, ANNOUNCED_EVERY, open).unref()
  return {
    definition: { exchange: { ...CallStreamServiceService.exchange, requestDeserialize: decoded } },
    handlers: {
      exchange(stream: Stream) {
        if (!isReady()) return refuse(stream)
        open.add(stream)
        for (const event of ['finish', 'error', 'cancelled', 'close']) stream.on(event, () => open.delete(stream))
        announceTo([stream])
        serve(stream, find)
      },
    },
    /** Asks all callers to send no more; calls already sent are answered. */
    close() {
      closing = true
      announceTo(open)
    },
  }
}

/** The request, or the error for unreadable bytes: if it were thrown, gRPC's library would report INTERNAL. */
function decoded(bytes: Buffer): ExchangeRequest | ServiceError {
  try {
    return ExchangeRequest.decode(bytes)
  } catch {
    const problem = 'A message of the stream can’t be read: check it against the .proto file.'
    return serviceError(status.INVALID_ARGUMENT, problem)
  }
}

function refuse(stream: Stream): void {
  stream.on('error', () => undefined)
  stream.emit('error', serviceError(status.UNAVAILABLE, 'This server is not ready yet.'))
}

interface SentAnswer extends Answer {
  readonly charge?: Charge
}

/** Answers are charged to the actors of their calls until the caller has taken them. */
function serve(stream: Stream, find: CallStreamServiceOptions['find']): void {
  const sender = createFrameSender<SentAnswer>((answers) => {
    if (leaving.signal.aborted) return
    stream.write({ ...NO_ANNOUNCEMENT, answers }, () => {
      for (const { charge } of answers) release(charge)
      untaken -= answers.length
      proceed()
    })
  })
  const charges = new Set<Charge>()
  let untaken = 0
  const leaving = new AbortController()
  let hasEnded = false

  function release(charge: Charge | undefined): void {
    if (charge === undefined) return
    charges.delete(charge)
    charge.release()
  }

  async function answer(call: Call): Promise<void> {
    untaken++
    const outcome = await outcomeOf(call, find(call.method), leaving.signal)
    if (leaving.signal.aborted) return outcome.charge?.release()
    if (outcome.charge) charges.add(outcome.charge)
    sender.send({ id: call.id, ...outcome })
  }

  function proceed(): void {
    if (leaving.signal.aborted) return
    const isRead = untaken < MAX_UNTAKEN
    if (isRead === stream.isPaused()) stream[isRead ? 'resume' : 'pause']()
    if (hasEnded && untaken === 0) stream.end()
  }

  stream.on('data', (request: ExchangeRequest | ServiceError) => {
    if (request instanceof Error) return void stream.emit('error', request)
    for (const call of request.calls) void answer(call)
    proceed()
  })
  stream.on('end', () => {
    hasEnded = true
    proceed()
  })
  const leave = (): void => {
    leaving.abort(CALLER_LEFT)
    for (const charge of charges) release(charge)
  }
  // A stream without an error listener would end the process when the caller aborts.
  stream.on('error', leave).on('cancelled', leave).on('close', leave)
}

const NO_ANNOUNCEMENT = { server: '', closing: false, appends: false, announcedEveryMilliseconds: 0 }
