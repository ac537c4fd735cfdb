import { constants } from 'node:http2'
import type { handleServerStreamingCall, MethodDefinition, ServerWritableStream } from '@grpc/grpc-js'
import { CALLER_LEFT, CodedError } from '../../calls/errors.ts'
import type { Pieces } from '../../kinds/services.ts'
import { checkKey, type GrpcAccess } from '../access/admission.ts'
import { fromMetadata, requestIdIn } from '../metadata.ts'
import { observe } from '../observed-calls.ts'
import { toGrpcStatus } from '../status.ts'
import { type AnswerCall, type AnswerOptions, codedOrLogged, deadlineOf, decode, makeAnswer } from './answer-method.ts'
import { streamOf } from './inside-grpc-js.ts'

/** A method that answers with a stream, as services implement it. */
// biome-ignore lint/suspicious/noExplicitAny: each method has messages of its own
export type AnswerStream<Request = any, Piece = any> = AnswerCall<Request, Pieces<Piece>>

type Call = ServerWritableStream<Buffer, Buffer>

/** How often to check whether a stream may continue, in milliseconds. */
const CHECK_INTERVAL = 250

/**
 * Handles one gRPC method that answers with a stream. Each piece is made once there is memory for it, and is charged
 * until it is sent; then the next one is made. A stream ends with `unavailable` when its connection or the server is
 * about to end, so that the caller calls again, and with `invalid_api_key` soon after its key has become invalid.
 */
export function streamHandler<Request, Piece>(
  method: MethodDefinition<Request, Piece>,
  answer: AnswerStream<Request, Piece>,
  options: AnswerOptions,
): handleServerStreamingCall<Buffer, Buffer> {
  const { path } = method
  return async (call) => {
    const stream = streamOf(call)
    const ending = new AbortController()
    const end = (error: CodedError): void => {
      if (ending.signal.aborted) return
      ending.abort(error)
      call.emit('error', toGrpcStatus(error))
    }
    stream.once('close', () => ending.abort(CALLER_LEFT))
    const checking = setInterval(() => checkCaller(call, options.access).catch(end), CHECK_INTERVAL)
    try {
      const context = fromMetadata(call.metadata, deadlineOf(call))
      const leaving = () => ending.signal
      const request = decode(method, call.request)
      await checkCaller(call, options.access)
      const pieces = await observe(path.slice(1), answer(request, context), context, options)
      for await (const makePiece of pieces) {
        if (ending.signal.aborted) break
        const make = async () => {
          const piece = await makePiece()
          return piece && method.responseSerialize(piece)
        }
        const revoke = () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
        const { made, charge } = await makeAnswer(method, { request, context, revoke, leaving, make }, options)
        if (made !== undefined && !ending.signal.aborted) await sent(call, made, ending.signal)
        charge.release()
      }
    } catch (error) {
      end(codedOrLogged(error, { method: path, requestId: requestIdIn(call.metadata) }, options.logger))
    } finally {
      clearInterval(checking)
    }
  }
}

/** Resolves once the stream has taken a piece, or has ended. */
function sent(call: Call, piece: Buffer, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      ending.removeEventListener('abort', done)
      resolve()
    }
    ending.addEventListener('abort', done)
    call.write(piece, done)
  })
}

/** Throws a CodedError when a stream must not continue. */
async function checkCaller(call: Call, access: Pick<GrpcAccess, 'apiKeys'>): Promise<void> {
  const { session } = streamOf(call)
  if (session === undefined || session.closed) throw new CodedError('unavailable', CALL_AGAIN)
  await checkKey(call.metadata, access)
}

const CALL_AGAIN = 'The stream has ended: call again, after the last event that it sent.'
