import { createHash } from 'node:crypto'
import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js'
import type { CallContext } from '../../calls/call-context.ts'
import type { CodedError } from '../../calls/errors.ts'
import { fromMetadata, requestIdIn } from '../metadata.ts'
import { toGrpcStatus } from '../status.ts'
import type { AnswerMethod } from './answer-method.ts'

/** Handles one gRPC method as a plain unary call. */
export function unaryHandler<Response>(answer: AnswerMethod<Response>): handleUnaryCall<Buffer, Response> {
  return (call, callback) => {
    answer({
      request: call.request,
      context: () => withRequestHash(fromMetadata(call.metadata, deadlineOf(call)), call),
      requestId: () => requestIdIn(call.metadata),
    }).then(
      (response) => callback(null, response),
      (error: CodedError) => callback(toGrpcStatus(error)),
    )
  }
}

/** A commitId from the caller stands for one request: by default the same bytes to the same method. */
function withRequestHash(context: CallContext, call: ServerUnaryCall<Buffer, unknown>): CallContext {
  const { commitId, requestHash } = context
  if (commitId === undefined || requestHash !== undefined) return context
  const hash = createHash('sha256').update(`${call.getPath()}\n`).update(call.request)
  return { ...context, requestHash: hash.digest('hex') }
}

function deadlineOf(call: ServerUnaryCall<Buffer, unknown>): number | undefined {
  const deadline = Number(call.getDeadline())
  return Number.isFinite(deadline) ? deadline : undefined
}
