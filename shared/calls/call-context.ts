import { newRequestId } from './ids.ts'

/**
 * What accompanies a request through every call between components, whatever the transport: passed as is in process, as
 * metadata over gRPC (`mint-actor`, `mint-request-id`, `mint-commit-id`, `mint-request-hash`, `closing-override`,
 * `traceparent`; the deadline is gRPC's own).
 */
export interface CallContext {
  /** Who calls: the principal of the API key, or what one of Mint's own processes states; recorded as `by` in events. */
  readonly actor: string
  /** Traces one request through gateway, services, logs and events. */
  readonly requestId: string
  /** Identifies the write: the same id never writes twice. Random when the caller gave none. */
  readonly commitId?: string
  /**
   * SHA-256 of method, path and JSON value, present only when the caller sent an Idempotency-Key: an earlier commit
   * with the same commitId answers this call if its hash is equal, and refuses it if not.
   */
  readonly requestHash?: string
  /**
   * Whether this is the first attempt ever with this commitId: then the log is not searched for it before the append,
   * which would still recognise it, and no earlier attempt has to be kept from being carried out after a refusal.
   */
  readonly isNewCommit?: boolean
  /**
   * For a request with a key: how many refusals of it its sender knows of. After another one this attempt must not be
   * carried out. Absent where each request is sent once: the service then finds out how many there were.
   */
  readonly refusals?: number
  /** Why the caller, who may, writes into closed time; absent: it must not. Without effect in open time. */
  readonly overrideReason?: string
  /** What the caller's key allows, where a method takes any key; absent for Mint's own processes, which decide that. */
  readonly scopes?: readonly string[]
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadline?: number
  /** The span that the request is in, present only if it is sampled: a W3C traceparent. */
  readonly traceparent?: string
}

/** The defaults for a caller that states neither its identity nor a request id. */
export function anonymousCaller(): Pick<CallContext, 'actor' | 'requestId'> {
  return { actor: 'grpc', requestId: newRequestId() }
}
