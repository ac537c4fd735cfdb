import { createHash } from 'node:crypto'
import { constants } from 'node:http2'
import { BinaryReader } from '@bufbuild/protobuf/wire'
import type { handleUnaryCall, MethodDefinition, ServerUnaryCall } from '@grpc/grpc-js'
import { memoized } from '../../async/memoized.ts'
import type { MemoryBudget } from '../../budget/budget.ts'
import { bytesOfPage, type Held, makeWithin, REPORT_BYTES } from '../../budget/make-within.ts'
import type { CallContext } from '../../calls/call-context.ts'
import { CodedError } from '../../calls/errors.ts'
import { whenLeft } from '../../calls/when-left.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { traced } from '../../runtime/tracing/tracing.ts'
import { checkKey, type GrpcAccess } from '../access/admission.ts'
import { fromMetadata, requestIdIn, sampledIn } from '../metadata.ts'
import { isList, isRead, isReport, isShortRead } from '../method-kinds.ts'
import { type CallObservers, observe } from '../observed-calls.ts'
import { toGrpcStatus } from '../status.ts'
import { streamOf } from './inside-grpc-js.ts'

/** A call as received, independent of the transport. */
export interface ArrivedCall {
  readonly request: Uint8Array
  /** Throws validation_failed. */
  context(): CallContext
  /** The request id that the caller gave, not validated. */
  requestId(): string | undefined
  /** The parent of its first span, if it is sampled. */
  readonly parent: string | undefined
  /** Cancels the call when others need the memory of its answer; only for reads. */
  readonly revoke?: () => void
  /** Aborted with a CodedError when the caller no longer waits for an answer. */
  readonly leaving: () => AbortSignal
  /** Rejects with a CodedError if its key has become invalid; absent for calls of Mint's own processes. */
  readonly checkKey?: () => Promise<void>
}

/**
 * Answers the encoded requests of one method with encoded responses, which are charged to the actor until released.
 * Rejects only with CodedError.
 */
export type AnswerMethod = (call: ArrivedCall) => Promise<Held<Buffer>>

/** A method as services implement it. */
// biome-ignore lint/suspicious/noExplicitAny: each method has messages of its own
export type AnswerCall<Request = any, Response = any> = (request: Request, context: CallContext) => Promise<Response>

export interface AnswerOptions extends CallObservers {
  readonly budget: MemoryBudget
  readonly access: Pick<GrpcAccess, 'lanes' | 'apiKeys'>
  readonly logger: Logger
}

/** The form of a principal. Mint's own processes also call under names of their own, on behalf of many callers. */
const KEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** How long a call waits for memory, in milliseconds; less if its deadline is earlier. */
const MAX_WAIT = 5_000

/**
 * Answers one method with an asynchronous function. A CodedError reaches the caller unchanged; anything else is logged
 * here and becomes internal_error without its text.
 */
export function answerMethod<Request, Response extends object>(
  method: MethodDefinition<Request, Response>,
  answer: AnswerCall<Request, Response>,
  options: AnswerOptions,
): AnswerMethod {
  const { path } = method
  // A service returns the same page object as long as nothing has changed.
  const encode = isList(path) ? memoized(method.responseSerialize) : method.responseSerialize
  async function answerIn(call: ArrivedCall, span: Pick<CallContext, 'traceparent'> | undefined) {
    try {
      const context = span ? { ...call.context(), ...span } : call.context()
      const request = decode(method, call.request)
      const make = async () => {
        // Its caller decides when the message is complete, and it may have waited for its turn, or for memory.
        await call.checkKey?.()
        return encode(await observe(path.slice(1), answer(request, context), context, options))
      }
      const revoke = isRead(path) ? call.revoke : undefined
      return await makeAnswer(method, { request, context, revoke, leaving: call.leaving, make }, options)
    } catch (error) {
      throw codedOrLogged(error, { method: path, requestId: call.requestId() }, options.logger)
    }
  }

  return (call) => {
    const { parent: traceparent } = call
    if (traceparent === undefined) return answerIn(call, undefined)
    return traced(path.slice(1), { kind: 'server', context: { traceparent } }, (span) => answerIn(call, span))
  }
}

interface AnswerToMake<Made> extends Pick<ArrivedCall, 'revoke' | 'leaving'> {
  readonly request: unknown
  readonly context: CallContext
  readonly make: () => Promise<Made>
}

/** Makes an encoded answer, or a piece of one, once its caller's share has room; a key's calls run in its lanes. */
export function makeAnswer<Made extends Buffer | undefined>(
  { path }: { readonly path: string },
  { request, context, make, revoke, leaving }: AnswerToMake<Made>,
  { access, budget }: Pick<AnswerOptions, 'access' | 'budget'>,
): Promise<Held<Made>> {
  const lane = !isRead(path) ? 'write' : isShortRead(path) ? 'record' : 'long-read'
  return makeWithin({
    share: budget.ofKey(context.actor),
    maxBytes: isReport(path) ? REPORT_BYTES : bytesOfPage(request),
    milliseconds: Math.min(MAX_WAIT, (context.deadline ?? Number.POSITIVE_INFINITY) - Date.now()),
    revoke,
    leaving,
    make: KEY_ID.test(context.actor) ? () => access.lanes(context.actor, lane, make) : make,
    bytesOf: (made) => made?.length ?? 0,
  })
}

/** The coded error that a caller gets; any other error is logged. */
export function codedOrLogged(error: unknown, call: object, logger: Logger): CodedError {
  if (error instanceof CodedError) return error
  logger.error({ err: error, ...call }, 'a call failed')
  return new CodedError('internal_error', 'An internal error occurred.', { cause: error })
}

/** Throws validation_failed. */
export function decode<Request, Response>(method: MethodDefinition<Request, Response>, bytes: Uint8Array): Request {
  try {
    // Generated code accepts a reader instead of bytes; its own reader would replace invalid UTF-8 by U+FFFD.
    return method.requestDeserialize(new BinaryReader(bytes, decodeUtf8) as never)
  } catch (cause) {
    const problem =
      'The request message can’t be read: check it against the .proto file. Whole numbers go up to 2^53 - 1.'
    throw new CodedError('validation_failed', problem, { cause })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const decodeUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes)

/** Handles one gRPC method as a plain unary call; its answer stays charged until the caller has taken it. */
export function unaryHandler(
  answer: AnswerMethod,
  { access }: Pick<AnswerOptions, 'access'>,
): handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    const stream = streamOf(call)
    answer({
      request: call.request,
      context: () => withRequestHash(fromMetadata(call.metadata, deadlineOf(call)), call),
      parent: sampledIn(call.metadata),
      requestId: () => requestIdIn(call.metadata),
      revoke: () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM),
      leaving: () => whenLeft(stream),
      checkKey: () => checkKey(call.metadata, access),
    }).then(
      ({ made, charge }) => {
        if (stream.destroyed) return charge.release()
        stream.once('close', () => charge.release())
        callback(null, made)
      },
      (error: CodedError) => callback(toGrpcStatus(error)),
    )
  }
}

/** A commitId from the caller identifies one request; by default, that is the same bytes to the same method. */
function withRequestHash(context: CallContext, call: ServerUnaryCall<Buffer, unknown>): CallContext {
  const { commitId, requestHash } = context
  if (commitId === undefined || requestHash !== undefined) return context
  const hash = createHash('sha256').update(`${call.getPath()}\n`).update(call.request)
  return { ...context, requestHash: hash.digest('hex') }
}

/** In milliseconds since the epoch. */
export function deadlineOf(call: Pick<ServerUnaryCall<Buffer, unknown>, 'getDeadline'>): number | undefined {
  const deadline = Number(call.getDeadline())
  return Number.isFinite(deadline) ? deadline : undefined
}
