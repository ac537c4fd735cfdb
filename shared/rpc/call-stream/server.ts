import { randomUUID } from 'node:crypto'
import { type ServerDuplexStream, status } from '@grpc/grpc-js'
import { CodedError } from '../../errors.ts'
import {
  type Answer,
  type Call,
  CallStreamServiceService,
  type ExchangeRequest,
  type ExchangeResponse,
} from '../../gen/mint/rpc/v1/call_stream.ts'
import type { AnswerMethod } from '../answer-method.ts'
import type { AddableService } from '../lazy-service.ts'
import { type ContextPart, toContext } from '../metadata.ts'
import { refusalBytes, serviceError, toStatusBytes } from '../status.ts'
import { createFrameSender, type FrameSender } from './frame-sender.ts'
import { createPartCollector } from './part-collector.ts'

/** What answers a method whose calls come by stream. */
export interface StreamedMethod {
  readonly answer: AnswerMethod<unknown>
  encode(response: unknown): Buffer
}

export interface CallStreamService extends AddableService {
  /** Tells all callers to send no more; what they have sent is answered. */
  close(): void
}

/** As for a plain call; the longest valid request is a contract with 10,000 characters of notes. */
const MAX_REQUEST_BYTES = 1024 * 1024
/** A stream with so many calls under way, or answers that its caller does not take, is not read on. */
const MAX_UNDER_WAY = 10_000
/** A stream with so much of requests whose last parts have not come is ended. */
const MAX_HELD_BYTES = 64 * 1024 * 1024

type Stream = ServerDuplexStream<ExchangeRequest, ExchangeResponse>

/**
 * Answers calls that come many to a stream; `find` knows methods like `mint.contracts.v1.ContractsService/GetContract`.
 * While the server is not ready it refuses streams, so that its callers have them to its replicas alone.
 */
export function callStreamService(
  find: (method: string) => StreamedMethod | undefined,
  isReady: () => boolean,
): CallStreamService {
  const server = randomUUID()
  const open = new Set<Stream>()
  return {
    definition: CallStreamServiceService,
    handlers: {
      exchange(stream: Stream) {
        if (!isReady()) return refuse(stream)
        open.add(stream)
        for (const event of ['end', 'cancelled', 'close']) stream.on(event, () => open.delete(stream))
        stream.write({ server, closing: false, answers: [] })
        serve(stream, find)
      },
    },
    close() {
      for (const stream of open) stream.write({ server: '', closing: true, answers: [] })
    },
  }
}

function refuse(stream: Stream): void {
  stream.on('error', () => undefined)
  stream.emit('error', serviceError(status.UNAVAILABLE, 'This server is not ready yet.'))
}

function serve(stream: Stream, find: (method: string) => StreamedMethod | undefined): void {
  const sender = createFrameSender<Answer>((answers) => {
    throttle()
    return stream.write({ server: '', closing: false, answers })
  })
  const collector = createPartCollector<Call>(MAX_REQUEST_BYTES)
  let underWay = 0
  let isPaused = false
  let hasEnded = false
  let isGone = false

  function throttle(): void {
    const isTooMuch = underWay + sender.waiting() >= MAX_UNDER_WAY
    if (isTooMuch === isPaused) return
    isPaused = isTooMuch
    if (isPaused) stream.pause()
    else stream.resume()
  }

  function finishWhenDone(): void {
    if (hasEnded && underWay === 0 && !isGone) sender.finish(() => stream.end())
  }

  async function answer(call: Call, request: Uint8Array): Promise<void> {
    underWay++
    throttle()
    const outcome = await outcomeOf(call, request, find(call.method))
    underWay--
    if (!isGone) sendOutcome(sender, call.id, outcome)
    throttle()
    finishWhenDone()
  }

  stream.on('drain', sender.drained)
  stream.on('data', ({ calls }: ExchangeRequest) => {
    for (const call of calls) {
      const collected = collector.take(call)
      if (collected.type === 'complete') void answer(collected.first, collected.payload)
      else if (collected.type === 'too-long') sendOutcome(sender, call.id, { status: tooLong() })
    }
    if (collector.held() > MAX_HELD_BYTES && !isGone) stream.emit('error', heldTooMuch())
  })
  stream.on('end', () => {
    hasEnded = true
    finishWhenDone()
  })
  const leave = (): void => {
    isGone = true
  }
  // Without a listener for its errors a stream would end the process when the caller breaks off.
  stream.on('error', leave).on('cancelled', leave).on('close', leave)
}

type Outcome = { readonly response: Buffer } | { readonly status: Buffer }

async function outcomeOf(call: Call, request: Uint8Array, method: StreamedMethod | undefined): Promise<Outcome> {
  if (method === undefined) return { status: refusalBytes(status.UNIMPLEMENTED, `There is no ${call.method}.`) }
  const deadline = call.timeoutMilliseconds === 0 ? undefined : Date.now() + call.timeoutMilliseconds
  try {
    const response = await method.answer({
      request,
      context: () => toContext((part) => call[FIELDS[part]] || undefined, deadline),
      requestId: () => call.requestId || undefined,
    })
    return { response: method.encode(response) }
  } catch (error) {
    const coded = error instanceof CodedError ? error : new CodedError('internal_error', 'Something went wrong inside.')
    return { status: toStatusBytes(coded) }
  }
}

const FIELDS = {
  actor: 'actor',
  requestId: 'requestId',
  commitId: 'commitId',
  requestHash: 'requestHash',
} as const satisfies Record<ContextPart, keyof Call>

const NOTHING = Buffer.alloc(0)
const tooLong = (): Buffer =>
  refusalBytes(status.RESOURCE_EXHAUSTED, `A request has at most ${MAX_REQUEST_BYTES} bytes.`)

const heldTooMuch = () =>
  serviceError(status.RESOURCE_EXHAUSTED, `Unfinished requests take more than ${MAX_HELD_BYTES} bytes.`)

function sendOutcome(sender: FrameSender<Answer>, id: number, outcome: Outcome): void {
  if ('status' in outcome) {
    sender.send({ payload: NOTHING, toPart: (payload) => ({ id, payload, more: false, status: outcome.status }) })
  } else {
    sender.send({ payload: outcome.response, toPart: (payload, { more }) => ({ id, payload, more, status: NOTHING }) })
  }
}
