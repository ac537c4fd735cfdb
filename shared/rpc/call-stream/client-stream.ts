import { type Client, type ClientDuplexStream, type ServiceError, status } from '@grpc/grpc-js'
import type { CallContext } from '../../call-context.ts'
import {
  type Answer,
  type Call,
  CallStreamServiceService,
  type ExchangeRequest,
  type ExchangeResponse,
} from '../../gen/mint/rpc/v1/call_stream.ts'
import { asBuffer } from '../bytes.ts'
import { fromStatusBytes, serviceError } from '../status.ts'
import { createFrameSender, type Message } from './frame-sender.ts'
import { type Collected, createPartCollector } from './part-collector.ts'
import { createTurnQueue } from './turn-queue.ts'

/** A stream to one server, ready for calls. */
export interface CallStream {
  /** The name that the server gave itself. */
  readonly server: string
  /** How many calls wait for their answer. */
  underWay(): number
  /**
   * Sends one call: `method` with its service. Rejects with the server's CodedError, or with gRPC's own error:
   * DEADLINE_EXCEEDED, or that of the stream when it breaks.
   */
  send(method: string, request: Uint8Array, context: CallContext, deadline: number): Promise<Uint8Array>
  /** Sends no more; what was sent is still answered. */
  retire(): void
}

export interface CallStreamOptions {
  /** For the server's greeting, in milliseconds. */
  readonly greetingMilliseconds: number
  readonly maxAnswerBytes: number
  /** Called once, when the server wants no more calls on this stream or it has ended. */
  readonly onUnusable: (stream: CallStream) => void
}

interface Waiting {
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** A call whose answer is here as a whole. */
interface Answered {
  readonly call: Waiting
  readonly answer: Exclude<Collected<Answer>, { type: 'incomplete' }>
  /** The status that the answer's last part has: empty for a success. */
  readonly refusal: Buffer
}

/**
 * So many answers of a stream are handed on together. They come in bursts: if all of one went to the callers at once,
 * their next requests would come as one burst too, and gateway and service would each wait for the other. With 64
 * callers 5 to 10 % more reads are answered a second.
 */
const ANSWERS_PER_TURN = 16

/** Opens a stream on a connection that grpc-js chooses. Rejects with its error when no server greets in time. */
export function openCallStream(client: Client, options: CallStreamOptions): Promise<CallStream> {
  const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
  const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => stream.cancel(), options.greetingMilliseconds)
    const end = (error: ServiceError): void => {
      clearTimeout(silence)
      reject(error)
    }
    stream.once('error', end)
    stream.once('end', () => end(endedByServer()))
    stream.once('data', ({ server }: ExchangeResponse) => {
      clearTimeout(silence)
      stream.off('error', end)
      resolve(exchangeOn(stream, server, options))
    })
  })
}

function exchangeOn(
  stream: ClientDuplexStream<ExchangeRequest, ExchangeResponse>,
  server: string,
  { maxAnswerBytes, onUnusable }: CallStreamOptions,
): CallStream {
  const waiting = new Map<number, Waiting>()
  const sender = createFrameSender<Call>((calls) => stream.write({ calls }))
  const collector = createPartCollector<Answer>(maxAnswerBytes)
  const answered = createTurnQueue<Answered>(ANSWERS_PER_TURN, ({ call, answer, refusal }) => {
    if (answer.type === 'too-long') call.reject(tooLong(maxAnswerBytes))
    else if (refusal.length > 0) call.reject(fromStatusBytes(refusal))
    else call.resolve(answer.payload)
  })
  let lastId = 0
  let isRetired = false

  const exchange: CallStream = {
    server,
    underWay: () => waiting.size,
    send: (method, request, context, deadline) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        const message = messageOf(id, { method, request, context, deadline })
        const giveUp = (): void => {
          // What a server that doesn't read leaves waiting here must not grow for as long as that goes on.
          sender.drop(message)
          settle(id)?.reject(outOfTime())
        }
        const timer = setTimeout(giveUp, Math.max(0, deadline - Date.now()))
        waiting.set(id, { resolve, reject, timer })
        sender.send(message)
      }),
    retire() {
      if (isRetired) return
      isRetired = true
      sender.finish(() => stream.end())
    },
  }

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id)
    if (found === undefined) return undefined
    waiting.delete(id)
    clearTimeout(found.timer)
    return found
  }

  function end(error: ServiceError): void {
    onUnusable(exchange)
    answered.finish()
    for (const id of [...waiting.keys()]) settle(id)?.reject(error)
  }

  stream.on('drain', sender.drained)
  stream.on('data', ({ closing, answers }: ExchangeResponse) => {
    if (closing) onUnusable(exchange)
    for (const part of answers) {
      const answer = collector.take(part)
      if (answer.type === 'incomplete') continue
      const call = settle(part.id)
      if (call) answered.add({ call, answer, refusal: part.status })
    }
  })
  stream.on('error', end)
  stream.on('end', () => end(endedByServer()))
  return exchange
}

interface Sent {
  readonly method: string
  readonly request: Uint8Array
  readonly context: CallContext
  readonly deadline: number
}

function messageOf(id: number, { method, request, context, deadline }: Sent): Message<Call> {
  return {
    payload: asBuffer(request),
    toPart: (payload, { isFirst, more }) => ({
      id,
      ...(isFirst ? headOf(method, context, deadline) : NO_HEAD),
      payload,
      more,
    }),
  }
}

function headOf(method: string, { actor, requestId, commitId = '', requestHash = '' }: CallContext, deadline: number) {
  // What waited for a full stream has less time left; 0 would be for ever.
  return { method, actor, requestId, commitId, requestHash, timeoutMilliseconds: Math.max(1, deadline - Date.now()) }
}

const NO_HEAD = { method: '', actor: '', requestId: '', commitId: '', requestHash: '', timeoutMilliseconds: 0 }

const endedByServer = (): ServiceError => serviceError(status.UNAVAILABLE, 'The server ended the stream.')
const outOfTime = (): ServiceError => serviceError(status.DEADLINE_EXCEEDED, 'No answer came in time.')
const tooLong = (bytes: number): ServiceError =>
  serviceError(status.RESOURCE_EXHAUSTED, `An answer of more than ${bytes} bytes came.`)
