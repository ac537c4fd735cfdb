import { createHash } from 'node:crypto'
import { constants } from 'node:http2'
import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js'
import { whenClosed } from '../../async/when-closed.ts'
import type { CallContext } from '../../calls/call-context.ts'
import { type CodedError, callerLeft } from '../../calls/errors.ts'
import { fromMetadata, requestIdIn } from '../metadata.ts'
import { toGrpcStatus } from '../status.ts'
import type { AnswerMethod } from './answer-method.ts'
import { streamOf } from './inside-grpc-js.ts'

/** Handles one gRPC method as a plain unary call; its answer stays charged until the caller has taken it. */
export function unaryHandler(answer: AnswerMethod): handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    const stream = streamOf(call)
    answer({
      request: call.request,
      context: () => withRequestHash(fromMetadata(call.metadata, deadlineOf(call)), call),
      requestId: () => requestIdIn(call.metadata),
      revoke: () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM),
      leaving: () => whenClosed(stream, callerLeft()),
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

/** A commitId from the caller identifies one request: by default the same bytes to the same method. */
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
