import { newRequestId } from './ids.ts'

/**
 * What accompanies a request through every call between components, on any transport: passed as is in process, as metadata
 * over gRPC (`mint-actor`, `mint-request-id`, `mint-commit-id`, `mint-request-hash`, `closing-override`, `traceparent`;
 * the deadline is gRPC's own).
 */
export interface CallContext {
  /** The principal of the API key, or the name of one of Mint's own processes; recorded as `by` in events. */
  readonly actor: string
  /** Traces one request through gateway, services, logs and events. */
  readonly requestId: string
  /** Identifies the write: nothing is written twice under the same id. Random if the caller gave none. */
  readonly commitId?: string
  /**
   * SHA-256 of method, path and JSON value; only present if the caller sent an Idempotency-Key. If the log has the
   * commitId, its answer is repeated if the hashes are equal; otherwise, the call is refused.
   */
  readonly requestHash?: string
  /**
   * Whether this is the first attempt with this commitId. The log is then not searched for it before the append (which
   * would still detect it), and a refusal has no earlier attempts to block.
   */
  readonly isNewCommit?: boolean
  /**
   * For a request with a key: how many refusals of it the sender knows of. After another one, this attempt must not be
   * executed. Absent where each request is sent once: the service then counts the refusals itself.
   */
  readonly refusals?: number
  /** Why the caller, who is allowed to, writes into a closed period; absent: it must not. No effect in an open period. */
  readonly overrideReason?: string
  /** The scopes of the caller's key, for methods that take any key; absent for Mint's own processes, which check them. */
  readonly scopes?: readonly string[]
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadline?: number
  /** The current span of the request as a W3C traceparent; only present if it is sampled. */
  readonly traceparent?: string
}

/** The defaults for a caller that states neither its identity nor a request id. */
export function anonymousCaller(): Pick<CallContext, 'actor' | 'requestId'> {
  return { actor: 'grpc', requestId: newRequestId() }
}
