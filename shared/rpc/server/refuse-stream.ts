import type { ServerHttp2Stream } from 'node:http2'
import { memoized } from '../../async/memoized.ts'
import type { CodedError } from '../../calls/errors.ts'
import { toGrpcStatus } from '../status.ts'

/** Ends a call that grpc-js doesn't know of with an error, if it is still open. */
export function refuseStream(stream: ServerHttp2Stream, error: CodedError): void {
  if (stream.destroyed || stream.closed) return
  stream.respond(headersOf(error), { endStream: true })
  // Otherwise it would stay open for as long as its caller wants.
  stream.close()
}

/** A flood of calls is refused with the same error each time. */
const headersOf = memoized((error: CodedError) => {
  const { code, details, metadata } = toGrpcStatus(error)
  const status = { 'grpc-status': code, 'grpc-message': encodeURI(details), ...metadata?.toHttp2Headers() }
  return { 'content-type': 'application/grpc', ...status }
})
