import { type Client, type ClientDuplexStream, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { CallContext } from '../../calls/call-context.ts'
import {
  type Answer,
  type Call,
  CallStreamServiceService,
  type ExchangeRequest,
  type ExchangeResponse,
} from '../../gen/mint/rpc/v1/call_stream.ts'
import { attachSecret, type ServiceSecrets } from '../access/service-secret.ts'
import { asBuffer } from '../bytes.ts'
import { fromStatusBytes, serviceError } from '../status.ts'
import { createFrameSender } from './frame-sender.ts'

/** A stream to one server, ready for calls. */
export interface CallStream {
  /** The server's self-chosen name. */
  readonly server: string
  /** Whether the server's last announcement said that writes are fastest through it. */
  appends(): boolean
  /** How many calls await their answer. */
  inProgress(): number
  /**
   * Sends one call: `method` includes its service. Rejects with the server's CodedError, or with gRPC's own error:
   * DEADLINE_EXCEEDED, or that of the stream when it breaks.
   */
  send(method: string, request: Uint8Array, context: CallContext, deadline: number): Promise<Uint8Array>
  /** Accepts no more calls; those already sent are still answered. */
  retire(): void
}

export interface CallStreamOptions {
  readonly secrets: ServiceSecrets
  /** Called when the server wants no more calls on this stream, and when the stream has ended. */
  readonly onUnusable: (stream: CallStream) => void
}

/** Timeout for the server's first announcement, in milliseconds. */
const GREETING_MILLISECONDS = 1_000
/** Below the servers' limit. The longest valid request is a contract with 10,000 characters of notes. */
const MAX_REQUEST_BYTES = 900_000
/** A server that sends nothing for this many announcements counts as lost: killed, frozen or cut off. */
const MAX_MISSED = 6

type Stream = ClientDuplexStream<ExchangeRequest, ExchangeResponse>

interface Waiting {
  readonly id: number
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Opens a stream on a connection that grpc-js chooses. Rejects with its error when no announcement arrives in time. */
export function openCallStream(client: Client, options: CallStreamOptions): Promise<CallStream> {
  const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
  const proof = attachSecret(new Metadata(), options.secrets)
  const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, proof)
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => stream.cancel(), GREETING_MILLISECONDS)
    const end = (error: ServiceError): void => {
      clearTimeout(timeout)
      reject(error)
    }
    stream.once('error', end)
    stream.once('end', () => end(endedByServer()))
    stream.once('data', (greeting: ExchangeResponse) => {
      clearTimeout(timeout)
      if (greeting.closing) return stream.cancel()
      stream.off('error', end)
      resolve(exchangeOn(stream, greeting, options))
    })
  })
}

function exchangeOn(stream: Stream, greeting: ExchangeResponse, { onUnusable }: CallStreamOptions): CallStream {
  /** Oldest first, and mostly answered in that order. Not a Map, for the reason that createLine gives. */
  const waiting: Waiting[] = []
  const sender = createFrameSender<Call>((calls) => stream.write({ calls }))
  let { appends } = greeting
  let lastId = 0
  let missed = 0
  // Counted, so that a pause of this process is one missed announcement, however long it was.
  const counting = setInterval(() => {
    missed += 1
    if (missed >= MAX_MISSED) stream.cancel()
  }, greeting.announcedEveryMilliseconds).unref()

  const exchange: CallStream = {
    server: greeting.server,
    appends: () => appends,
    inProgress: () => waiting.length,
    send(method, request, context, deadline) {
      if (request.length > MAX_REQUEST_BYTES) return Promise.reject(tooLong())
      return new Promise((resolve, reject) => {
        const id = ++lastId
        // 0 would mean no deadline.
        const timeoutMilliseconds = Math.max(1, deadline - Date.now())
        const timer = setTimeout(() => settle(id)?.reject(deadlineExceeded()), timeoutMilliseconds)
        waiting.push({ id, resolve, reject, timer })
        sender.send({ id, method, ...partsOf(context), timeoutMilliseconds, payload: asBuffer(request) })
      })
    },
    retire() {
      sender.flush()
      stream.end()
    },
  }

  function settle(id: number): Waiting | undefined {
    const index = waiting.findIndex((one) => one.id === id)
    if (index < 0) return undefined
    const [found] = waiting.splice(index, 1)
    clearTimeout(found?.timer)
    return found
  }

  function receive({ id, payload, status: refusal }: Answer): void {
    const call = settle(id)
    if (refusal.length > 0) call?.reject(fromStatusBytes(refusal))
    else call?.resolve(payload)
  }

  function end(error: ServiceError): void {
    clearInterval(counting)
    onUnusable(exchange)
    for (const { id } of [...waiting]) settle(id)?.reject(error)
  }

  stream.on('data', (response: ExchangeResponse) => {
    missed = 0
    if (response.server !== '') appends = response.appends
    if (response.closing) onUnusable(exchange)
    for (const answer of response.answers) receive(answer)
  })
  stream.on('error', end)
  stream.on('end', () => end(endedByServer()))
  return exchange
}

function partsOf(context: CallContext) {
  const { actor, requestId, commitId = '', requestHash = '' } = context
  const { isNewCommit = false, refusals, overrideReason, traceparent } = context
  return { actor, requestId, commitId, requestHash, isNewCommit, refusals, overrideReason, traceparent }
}

const endedByServer = (): ServiceError => serviceError(status.UNAVAILABLE, 'The server ended the stream.')
const deadlineExceeded = (): ServiceError => serviceError(status.DEADLINE_EXCEEDED, 'No answer came in time.')
const tooLong = (): ServiceError =>
  serviceError(status.RESOURCE_EXHAUSTED, `A request has at most ${MAX_REQUEST_BYTES} bytes.`)
