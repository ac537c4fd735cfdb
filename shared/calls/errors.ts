/** What can go wrong with a call: the `code` of the REST API, which all transports carry unchanged. */
export type ErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'insufficient_scope'
  | 'rate_limited'
  | 'validation_failed'
  | 'not_found'
  | 'precondition_failed'
  | 'idempotency_key_reused'
  | 'period_closed'
  | 'currency_fixed'
  | 'proposal_ended'
  | 'too_many_proposals'
  | 'too_many_webhooks'
  | 'unavailable'
  | 'outcome_unknown'
  | 'internal_error'

/** One thing wrong with the input. */
export interface Violation {
  /** The field, as a JSON pointer in REST names, for example `/serviceFee`. */
  readonly pointer: string
  /** A stable name for the kind of violation, for example `too_long`. */
  readonly code: string
  /** What is wrong, what is expected, and what to do. */
  readonly message: string
}

/**
 * An error that a caller can act on. Thrown by services and transports, and converted to a gRPC status or HTTP in
 * exactly one place per edge. Anything else thrown there becomes `internal_error`, and its text stays in the log.
 */
export class CodedError extends Error {
  readonly code: ErrorCode
  readonly violations: readonly Violation[]

  constructor(code: ErrorCode, message: string, options: { violations?: readonly Violation[]; cause?: unknown } = {}) {
    const { stackTraceLimit } = Error
    // Nobody reads the stack trace of a refusal, and capturing it takes longer than refusing the call.
    if (!MAY_BE_LOGGED.includes(code)) Error.stackTraceLimit = 0
    super(message, { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'CodedError'
    this.code = code
    this.violations = options.violations ?? []
  }
}

const MAY_BE_LOGGED: readonly ErrorCode[] = ['unavailable', 'outcome_unknown', 'internal_error']

/** Aborts a call whose caller has disconnected; nobody receives it. The same for all, as it is made for each that waits. */
export const CALLER_LEFT = new CodedError('unavailable', 'The caller has left.')

/**
 * The attempt was not executed, because the request was refused after it was sent; nothing was written. A sender that is
 * still waiting may send the request again, with this number of refusals.
 */
export class RefusedBefore extends CodedError {
  readonly refusals: number

  constructor(refusals: number) {
    super('unavailable', 'Another attempt at this request was refused; nothing was written: try again.')
    this.refusals = refusals
  }
}

/**
 * `what`, as the name of the outage in the error's log line, if the error comes from one. undefined for an error that may
 * be a bug in Mint: each of those is logged with its stack.
 */
export function outageOf(what: string, error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return code === 'unavailable' || code === 'outcome_unknown' ? what : undefined
}

/** The most violations that an answer lists. */
export const MAX_VIOLATIONS = 100

/** A pointer may name a field of 100,000 characters: longer ones are cut and end with `…`. */
const MAX_POINTER = 500

/** The first violations: at most MAX_VIOLATIONS that fit into `maxBytes` as JSON, but at least one. */
export function shownViolations<V extends Violation>(violations: readonly V[], maxBytes: number): readonly V[] {
  const shown: V[] = []
  let bytes = 0
  for (const violation of violations.slice(0, MAX_VIOLATIONS)) {
    const short = { ...violation, pointer: shortened(violation.pointer) }
    bytes += Buffer.byteLength(JSON.stringify(short))
    if (bytes > maxBytes && shown.length > 0) break
    shown.push(short)
  }
  return shown
}

function shortened(pointer: string): string {
  return pointer.length > MAX_POINTER ? `${pointer.slice(0, MAX_POINTER).toWellFormed()}…` : pointer
}
