import { BinaryReader } from '@bufbuild/protobuf/wire'
import type { MethodDefinition } from '@grpc/grpc-js'
import type { CallContext } from '../../calls/call-context.ts'
import { CodedError } from '../../calls/errors.ts'
import type { Logger } from '../../runtime/log/logger.ts'

/** A call as received, whatever the transport. */
export interface ArrivedCall {
  readonly request: Uint8Array
  /** Throws validation_failed. */
  context(): CallContext
  /** The request id that the caller gave, not validated. */
  requestId(): string | undefined
}

/** Answers the encoded requests of one method with response messages. Rejects only with CodedError. */
export type AnswerMethod<Response> = (call: ArrivedCall) => Promise<Response>

/**
 * Answers one method with an asynchronous function. A CodedError reaches the caller unchanged; anything else is logged
 * here and becomes internal_error without its text.
 */
export function answerMethod<Request, Response>(
  method: MethodDefinition<Request, Response>,
  answer: (request: Request, context: CallContext) => Promise<Response>,
  logger: Logger,
): AnswerMethod<Response> {
  return async (call) => {
    try {
      const context = call.context()
      return await answer(decode(method, call.request), context)
    } catch (error) {
      if (error instanceof CodedError) throw error
      logger.error({ err: error, method: method.path, requestId: call.requestId() }, 'a call failed')
      throw new CodedError('internal_error', 'An internal error occurred.', { cause: error })
    }
  }
}

function decode<Request, Response>(method: MethodDefinition<Request, Response>, bytes: Uint8Array): Request {
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
