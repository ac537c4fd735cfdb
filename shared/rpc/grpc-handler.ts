import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js'
import type { CodedError } from '../errors.ts'
import type { AnswerMethod } from './answer-method.ts'
import { fromMetadata, requestIdIn } from './metadata.ts'
import { toGrpcStatus } from './status.ts'

/** Answers one gRPC method, called plainly. */
export function unaryHandler<Response>(answer: AnswerMethod<Response>): handleUnaryCall<Buffer, Response> {
  return (call, callback) => {
    answer({
      request: call.request,
      context: () => fromMetadata(call.metadata, deadlineOf(call)),
      requestId: () => requestIdIn(call.metadata),
    }).then(
      (response) => callback(null, response),
      (error: CodedError) => callback(toGrpcStatus(error)),
    )
  }
}

function deadlineOf(call: ServerUnaryCall<Buffer, unknown>): number | undefined {
  const deadline = Number(call.getDeadline())
  return Number.isFinite(deadline) ? deadline : undefined
}
