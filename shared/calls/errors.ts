/** What can go wrong with a call, in the words of the REST API's `code`; a transport carries it unchanged. */
export type ErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'insufficient_scope'
  | 'rate_limited'
  | 'validation_failed'
  | 'not_found'
  | 'precondition_failed'
  | 'idempotency_key_reused'
  | 'unavailable'
  | 'outcome_unknown'
  | 'internal_error'

/** One thing wrong with the input. */
export interface Violation {
  /** The field, as a JSON pointer in REST names, for example `/serviceFee`. */
  readonly pointer: string
  /** A stable word for the kind of violation, for example `too_long`. */
  readonly code: string
  /** What is wrong, what is expected, and what to do. */
  readonly message: string
}

/**
 * An error that a caller can act upon. Thrown by services and transports, converted to gRPC status or HTTP at exactly
 * one place for each edge; whatever else is thrown there is an `internal_error`, and its text stays in the log.
 */
export class CodedError extends Error {
  readonly code: ErrorCode
  readonly violations: readonly Violation[]

  constructor(code: ErrorCode, message: string, options: { violations?: readonly Violation[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'CodedError'
    this.code = code
    this.violations = options.violations ?? []
  }
}

/**
 * The name of the outage that an error is a part of, for its line in the log: `what` is away. undefined for an error that
 * may be a fault of Mint's, of which each has a line with its stack.
 */
export function outageOf(what: string, error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return code === 'unavailable' || code === 'outcome_unknown' ? what : undefined
}
