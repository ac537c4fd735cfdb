import { randomUUID } from 'node:crypto'
import { type ServerDuplexStream, status } from '@grpc/grpc-js'
import {
  type Answer,
  type Call,
  CallStreamServiceService,
  type ExchangeRequest,
  type ExchangeResponse,
} from '../../gen/mint/rpc/v1/call_stream.ts'
import type { AddableService } from '../lazy-service.ts'
import { refusalBytes, serviceError } from '../status.ts'
import { createFrameSender, type FrameSender } from './frame-sender.ts'
import { createHeldBytes, type HeldBytes } from './held-bytes.ts'
import { createLine, type Line } from './line.ts'
import { type Outcome, outcomeOf, type StreamedMethod } from './outcome.ts'
import { createPartCollector } from './part-collector.ts'

export interface CallStreamService extends AddableService {
  /** Tells all callers to send no more; what they have sent is answered. */
  close(): void
}

/** As for a plain call; the longest valid request is a contract with 10,000 characters of notes. */
const MAX_REQUEST_BYTES = 1024 * 1024
/**
 * So many calls of a stream are answered at once, until their caller has taken the answers; of calls for lists, which
 * take longer and answer up to 4 MB, fewer. The others wait.
 */
const MAX_UNDER_WAY = 10_000
const MAX_LISTS_UNDER_WAY = 16
/** A stream of which so many calls wait, or so many bytes of them, is not read on. */
const MAX_WAITING = 1_000
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/**
 * What streams may hold: requests whose last parts have not come or that wait, and answers that are not taken. One that
 * holds more is ended. A gateway with a long request on each of its connections comes to 50 MB.
 */
const HELD_BYTES = { perStream: 64 * 1024 * 1024, altogether: 128 * 1024 * 1024 }

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
  const heldBytes = createHeldBytes(HELD_BYTES)
  return {
    definition: CallStreamServiceService,
    handlers: {
      exchange(stream: Stream) {
        if (!isReady()) return refuse(stream)
        open.add(stream)
        for (const event of ['end', 'cancelled', 'close']) stream.on(event, () => open.delete(stream))
        stream.write({ server, closing: false, answers: [] })
        serve(stream, find, heldBytes)
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

/** A call whose request is here as a whole; undefined: it was too long. */
interface Arrived {
  readonly call: Call
  readonly request: Uint8Array | undefined
}

function serve(stream: Stream, find: (method: string) => StreamedMethod | undefined, heldBytes: HeldBytes): void {
  const sender = createFrameSender<Answer>((answers) => stream.write({ server: '', closing: false, answers }))
  const collector = createPartCollector<Call>(MAX_REQUEST_BYTES, headLength)
  const lists = createLine<Arrived>(MAX_LISTS_UNDER_WAY, (arrived) => void answer(arrived, lists))
  const others = createLine<Arrived>(MAX_UNDER_WAY, (arrived) => void answer(arrived, others))
  const held = heldBytes.open(() => {
    if (!isGone) stream.emit('error', heldTooMuch())
  })
  let unanswered = 0
  let waitingBytes = 0
  let isPaused = false
  let hasEnded = false
  let isGone = false

  function throttle(): void {
    held.set(collector.held() + waitingBytes + sender.waitingBytes())
    const isTooMuch = lists.waiting() + others.waiting() > MAX_WAITING || waitingBytes > MAX_WAITING_BYTES
    if (isTooMuch === isPaused || isGone) return
    isPaused = isTooMuch
    if (isPaused) stream.pause()
    else stream.resume()
  }

  function finishWhenDone(): void {
    if (hasEnded && unanswered === 0 && !isGone) sender.finish(() => stream.end())
  }

  async function answer({ call, request }: Arrived, line: Line<Arrived>): Promise<void> {
    waitingBytes -= request?.length ?? 0
    const outcome = request ? await outcomeOf(call, request, find(call.method)) : { status: tooLong() }
    if (isGone) return
    sendOutcome(sender, call.id, outcome, () => {
      unanswered--
      line.done()
      throttle()
      finishWhenDone()
    })
    throttle()
  }

  function arrive(call: Call, request: Uint8Array | undefined): void {
    unanswered++
    waitingBytes += request?.length ?? 0
    const line = IS_LIST.test(call.method) ? lists : others
    line.add({ call, request })
  }

  stream.on('drain', sender.drained)
  stream.on('data', ({ calls }: ExchangeRequest) => {
    if (isGone) return
    for (const call of calls) {
      const collected = collector.take(call)
      if (collected.type === 'complete') arrive(collected.first, collected.payload)
      else if (collected.type === 'too-long') arrive(collected.first, undefined)
    }
    throttle()
  })
  stream.on('end', () => {
    hasEnded = true
    finishWhenDone()
  })
  const leave = (): void => {
    isGone = true
    held.close()
    sender.clear()
    collector.clear()
  }
  // Without a listener for its errors a stream would end the process when the caller breaks off.
  stream.on('error', leave).on('cancelled', leave).on('close', leave)
}

const IS_LIST = /\/List[^/]*$/

/** What a call's first part has beside its payload. */
function headLength({ method, actor, requestId, commitId, requestHash }: Call): number {
  return method.length + actor.length + requestId.length + commitId.length + requestHash.length
}

const NOTHING = Buffer.alloc(0)
const tooLong = (): Buffer =>
  refusalBytes(status.RESOURCE_EXHAUSTED, `A request has at most ${MAX_REQUEST_BYTES} bytes.`)

const heldTooMuch = () =>
  serviceError(status.RESOURCE_EXHAUSTED, 'Unfinished requests, or answers that are not taken, take too many bytes.')

function sendOutcome(sender: FrameSender<Answer>, id: number, outcome: Outcome, onWritten: () => void): void {
  const [payload, status] = 'status' in outcome ? [NOTHING, outcome.status] : [outcome.response, NOTHING]
  sender.send({
    payload,
    toPart(piece, { more }) {
      if (!more) onWritten()
      return { id, payload: piece, more, status }
    },
  })
}
