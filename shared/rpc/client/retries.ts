import { type ServiceError, status } from '@grpc/grpc-js'
import type { CallContext } from '../../calls/call-context.ts'
import { CodedError, type ErrorCode, RefusedBefore } from '../../calls/errors.ts'
import { newRequestId, randomCommitId } from '../../calls/ids.ts'
import { clampDeadline } from '../deadline-limit.ts'
import { isRead } from '../method-kinds.ts'
import { fromGrpcStatus } from '../status.ts'

/** The two steps of an attempt, separate because a call that was never sent can't have changed anything. */
export interface Attempt {
  /** Rejects when there is no connection by `deadline` (milliseconds since the epoch). */
  connected(deadline: number): Promise<void>
  /** Rejects with the CodedError that the server returned, or with gRPC's own error. */
  send(context: CallContext, deadline: number): Promise<Uint8Array>
}

export interface Call {
  /** The method's name. */
  readonly method: string
  readonly context: CallContext | undefined
  readonly timeoutMilliseconds: number
}

const MAX_ATTEMPTS = 5
const FIRST_PAUSE_MILLISECONDS = 20

/** Statuses of a call whose connection was lost because the server died or became unreachable. */
const CONNECTION_LOST: readonly status[] = [status.UNAVAILABLE, status.CANCELLED, status.UNKNOWN, status.INTERNAL]

/**
 * Includes servers that refuse this process's proof of identity, or are of another version and lack the method: until
 * that is fixed, they count as unavailable.
 */
const UNAVAILABLE: readonly status[] = [status.DEADLINE_EXCEEDED, status.UNAUTHENTICATED, status.UNIMPLEMENTED]

/** Codes of an attempt that the service didn't carry out; they say nothing about earlier attempts at the request. */
const NOT_CARRIED_OUT: readonly ErrorCode[] = ['unavailable', 'rate_limited']

/**
 * Sends a call until it is answered, at most five times and not beyond its deadline. Retries are safe: reads change
 * nothing, and a write uses one commitId for all attempts, which the log accepts only once.
 *
 * When the service answers that a request with this key was refused before, the request is sent again with the number
 * of refusals: only its sender knows that it is a new request, not an earlier attempt that arrives late.
 *
 * Throws a CodedError: the server's own unchanged; without an answer `unavailable`, or `outcome_unknown` for a write
 * that may have reached the server.
 */
export async function callWithRetries(attempt: Attempt, call: Call): Promise<Uint8Array> {
  let context = completeContext(call)
  let mayHaveArrived = false
  for (let count = 1; ; count += 1) {
    let sent = false
    try {
      await attempt.connected(context.deadline)
      sent = true
      return await attempt.send(context, context.deadline)
    } catch (error) {
      const coded = sent ? codedError(error) : undefined
      if (coded instanceof RefusedBefore && context.refusals !== undefined && count < MAX_ATTEMPTS) {
        context = { ...context, refusals: coded.refusals }
        mayHaveArrived = false
        continue
      }
      // If this attempt wrote nothing, an earlier one still may have.
      const isInDoubt = mayHaveArrived && coded !== undefined && NOT_CARRIED_OUT.includes(coded.code)
      if (coded) throw isInDoubt && !isRead(call.method) ? unanswered(call, mayHaveArrived, coded) : coded
      mayHaveArrived ||= sent && (error as ServiceError).code !== status.UNIMPLEMENTED
      context = { ...context, isNewCommit: false }
      const retry = sent ? isRetryable(error as ServiceError) : false
      const pause = FIRST_PAUSE_MILLISECONDS * 2 ** (count - 1) * (0.5 + Math.random())
      if (!retry || count === MAX_ATTEMPTS || Date.now() + pause >= context.deadline) {
        throw noAnswer(call, mayHaveArrived, error)
      }
      await new Promise((resume) => setTimeout(resume, pause))
    }
  }
}

type CompleteContext = CallContext & { readonly deadline: number }

function completeContext({ method, context, timeoutMilliseconds }: Call): CompleteContext {
  const given = context ?? { actor: 'internal', requestId: newRequestId() }
  const deadline = clampDeadline(given.deadline ?? Date.now() + timeoutMilliseconds)
  if (isRead(method)) return { ...given, deadline }
  if (given.commitId === undefined) return { ...given, deadline, commitId: randomCommitId(), isNewCommit: true }
  return { ...given, deadline, ...(given.requestHash !== undefined && { refusals: 0 }) }
}

const codedError = (error: unknown): CodedError | undefined =>
  error instanceof CodedError ? error : fromGrpcStatus(error as ServiceError)

const isRetryable = (error: ServiceError): boolean => CONNECTION_LOST.includes(error.code)

function noAnswer(call: Call, mayHaveArrived: boolean, cause: unknown): CodedError {
  const { code } = cause as ServiceError
  // Repeated refusals of this process's proof of identity run into the rate limit.
  const isLimited = fromGrpcStatus(cause as ServiceError)?.code === 'rate_limited'
  const isUnavailable = code === undefined || isLimited || UNAVAILABLE.includes(code) || CONNECTION_LOST.includes(code)
  if (!isUnavailable) return new CodedError('internal_error', `The call ${call.method} was refused.`, { cause })
  return unanswered(call, mayHaveArrived, cause)
}

function unanswered({ method }: Call, mayHaveArrived: boolean, cause: unknown): CodedError {
  if (mayHaveArrived && !isRead(method)) {
    return new CodedError(
      'outcome_unknown',
      'No answer arrived, and the change may have been made: send it again with the same Idempotency-Key.',
      { cause },
    )
  }
  return new CodedError('unavailable', 'The service is unavailable: try again.', { cause })
}
