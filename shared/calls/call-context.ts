import { newRequestId } from './ids.ts'

/**
 * What travels beside a request through every call between the parts, whatever the transport: in process it is passed
 * as it is, over gRPC as metadata (`mint-actor`, `mint-request-id`, `mint-commit-id`, `mint-request-hash`, and the
 * deadline as gRPC's own).
 */
export interface CallContext {
  /** Who calls: the API key's id, or what one of Mint's own processes says; recorded as `by` in events. */
  readonly actor: string
  /** Follows one request through gateway, services, logs and events. */
  readonly requestId: string
  /** Identifies the write: the same id never writes twice. Made at random where the caller gave none. */
  readonly commitId?: string
  /**
   * SHA-256 of method, path and JSON value, present only when the caller sent an Idempotency-Key: an earlier commit of
   * the same commitId then answers this call when its hash is equal, and refuses it when it is not.
   */
  readonly requestHash?: string
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadline?: number
}

/** What stands for a caller that says neither who it is nor which request this is. */
export function anonymousCaller(): Pick<CallContext, 'actor' | 'requestId'> {
  return { actor: 'grpc', requestId: newRequestId() }
}
