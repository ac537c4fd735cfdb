import { BinaryReader } from '@bufbuild/protobuf/wire'
import type { handleUnaryCall, MethodDefinition, ServerUnaryCall } from '@grpc/grpc-js'
import { CodedError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { CallContext } from './call-context.ts'
import { fromMetadata, requestIdIn } from './metadata.ts'
import { toGrpcStatus } from './status.ts'

/**
 * Answers one gRPC method by an asynchronous function. A CodedError reaches the caller as it is; anything else is
 * logged here and leaves as internal_error without its text.
 */
export function unaryHandler<Request, Response>(
  method: MethodDefinition<Request, Response>,
  answer: (request: Request, context: CallContext) => Promise<Response>,
  logger: Logger,
): handleUnaryCall<Buffer, Response> {
  return (call, callback) => {
    respond(method, answer, call).then(
      (response) => callback(null, response),
      (error: unknown) => {
        if (!(error instanceof CodedError)) {
          logger.error({ err: error, method: method.path, requestId: requestIdIn(call.metadata) }, 'a call failed')
        }
        callback(toGrpcStatus(error instanceof CodedError ? error : internalError(error)))
      },
    )
  }
}

async function respond<Request, Response>(
  method: MethodDefinition<Request, Response>,
  answer: (request: Request, context: CallContext) => Promise<Response>,
  call: ServerUnaryCall<Buffer, Response>,
): Promise<Response> {
  const context = fromMetadata(call.metadata, deadlineOf(call))
  return await answer(decode(method, call.request), context)
}

function decode<Request, Response>(method: MethodDefinition<Request, Response>, bytes: Buffer): Request {
  try {
    // Generated code takes a reader where it takes bytes; its own would put U+FFFD where a string is not UTF-8.
    return method.requestDeserialize(new BinaryReader(bytes, decodeUtf8) as never)
  } catch (cause) {
    throw new CodedError('validation_failed', 'The request message can’t be read: check it against the .proto file.', {
      cause,
    })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const decodeUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes)

function deadlineOf(call: ServerUnaryCall<Buffer, unknown>): number | undefined {
  const deadline = Number(call.getDeadline())
  return Number.isFinite(deadline) ? deadline : undefined
}

const internalError = (cause: unknown) => new CodedError('internal_error', 'Something went wrong inside.', { cause })
