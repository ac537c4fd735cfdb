import type { ErrorCode, Violation } from '../shared/calls/errors.ts'
import { HOW_TO_OVERRIDE_CLOSING } from '../shared/fields/closing-fields.ts'
import { TOO_MANY_PROPOSALS } from '../shared/fields/proposal-fields.ts'

/** Every code that an answer of the gateway can carry; stable, so that callers can rely on them. */
export type ProblemCode =
  | ErrorCode
  | 'malformed_request'
  | 'malformed_json'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'misdirected_request'
  | 'request_timeout'
  | 'payload_too_large'
  | 'request_too_large'
  | 'unsupported_media_type'

/** Which part of a request a violation is in. */
export const LOCATIONS = ['body', 'query', 'path', 'header'] as const
export type Location = (typeof LOCATIONS)[number]

/** A violation with the part of the request that it is in. */
export interface LocatedViolation extends Violation {
  readonly in: Location
  /** Of a file: the line where the row begins, from 1. */
  readonly line?: number
}

interface ProblemOptions {
  /** For the code that has two statuses (414 and 431). */
  readonly status?: number
  /** Replaces the code's standard sentence with a more specific one; shown to the caller. */
  readonly detail?: string
  readonly errors?: readonly LocatedViolation[]
  /** How many more violations there are than `errors` holds. */
  readonly errorsOmitted?: number
  /** Of a CSV file: how many of its rows are written, under this Idempotency-Key; undefined: unknown. */
  readonly written?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An answer other than success. `message` is its detail; `cause` is for the log only. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly errors: readonly LocatedViolation[]
  readonly errorsOmitted: number
  readonly written: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const { stackTraceLimit } = Error
    // Nobody reads the stack trace of a refusal, and capturing it takes longer than everything else here.
    if ((options.status ?? PROBLEMS[code].status) < 500) Error.stackTraceLimit = 0
    super(options.detail ?? PROBLEMS[code].detail, { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ProblemError'
    this.code = code
    this.status = options.status ?? PROBLEMS[code].status
    this.errors = options.errors ?? []
    this.errorsOmitted = options.errorsOmitted ?? 0
    this.written = options.written
    this.headers = { ...PROBLEMS[code].headers, ...options.headers }
  }
}

/** method_not_allowed; `allow`: the methods that the path has, as in the header. */
export function methodNotAllowed(allow: string): ProblemError {
  const detail = `This path does not support this method. Use one of: ${allow}.`
  return new ProblemError('method_not_allowed', { headers: { Allow: allow }, detail })
}

/** Status, standard detail and headers of each code. Details are fixed texts, so that none can leak a secret. */
const PROBLEMS: Readonly<
  Record<ProblemCode, { status: number; detail: string; headers?: Readonly<Record<string, string>> }>
> = {
  malformed_request: {
    status: 400,
    detail:
      'This is not a valid HTTP request. Send HTTP/1.1 with a standard method, and percent-encode everything in the URL that is not ASCII, as well as spaces.',
    headers: { Connection: 'close' },
  },
  malformed_json: { status: 400, detail: 'The body is not valid JSON in UTF-8. Send one complete JSON object.' },
  validation_failed: {
    status: 400,
    detail: 'The request has the errors listed. Correct them and send it again.',
  },
  missing_api_key: {
    status: 401,
    detail:
      'No API key was given as a bearer token. Send the header Authorization: Bearer mint_<API_KEY>. In a browser, sign in at /console.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  invalid_api_key: {
    status: 401,
    detail: 'This API key is not valid. Send the header Authorization: Bearer mint_<API_KEY> with a key that is.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  insufficient_scope: { status: 403, detail: 'This API key lacks the scope for this. Use a key that has it.' },
  route_not_found: {
    status: 404,
    detail: 'There is nothing at this path. Check its spelling, case and slashes; /docs lists every path.',
  },
  not_found: {
    status: 404,
    detail: 'No record has this id, or it did not exist yet at the requested time. Check the id.',
  },
  method_not_allowed: { status: 405, detail: 'This path does not support this method. Use one of those in Allow.' },
  request_timeout: {
    status: 408,
    detail: 'The request took too long to arrive. Send it again, in one go.',
    headers: { Connection: 'close' },
  },
  idempotency_key_reused: {
    status: 409,
    detail: 'This Idempotency-Key was already used for another request. Use a new one for a new request.',
  },
  period_closed: {
    status: 409,
    detail: `The books are closed for the service date, before or after this change. ${HOW_TO_OVERRIDE_CLOSING}`,
  },
  currency_fixed: {
    status: 409,
    detail:
      'The firm has a currency, and contracts with amounts in it. It can be changed only while there is no contract.',
  },
  proposal_ended: {
    status: 409,
    detail:
      'This proposal can no longer be decided on: it was accepted or declined, has expired, or its contract has changed since. Get it to see which.',
  },
  too_many_proposals: { status: 409, detail: TOO_MANY_PROPOSALS },
  too_many_webhooks: { status: 409, detail: 'There are 100 webhooks, and no more are allowed. Delete one first.' },
  precondition_failed: {
    status: 412,
    detail:
      'The record is not at the version that the request names (in If-Match, `version` or `expectedVersion`). Get it again, ' +
      'and repeat the change with the version or ETag that it has now. A weak tag (W/"…") never matches.',
  },
  payload_too_large: {
    status: 413,
    detail: 'The body has more than 102,400 bytes (a CSV file: 10,000,000). Send a smaller one.',
  },
  request_too_large: { status: 431, detail: 'The URL or the headers are too long. Send shorter ones.' },
  misdirected_request: {
    status: 421,
    detail:
      'Pages are not served under this host name. Add it to the setting CONSOLE_ALLOWED_HOSTS, or use an IP address or localhost.',
  },
  unsupported_media_type: {
    status: 415,
    detail:
      'The body must be application/json in UTF-8 (PATCH also takes application/merge-patch+json), for a CSV file text/csv in UTF-8, not compressed.',
  },
  rate_limited: { status: 429, detail: 'Too many requests with this API key. Wait as long as Retry-After says.' },
  internal_error: { status: 500, detail: 'Something went wrong here. Report the requestId if it happens again.' },
  unavailable: {
    status: 503,
    detail: 'This is unavailable at the moment, and nothing was written. Send the request again later.',
    headers: { 'Retry-After': '1' },
  },
  outcome_unknown: {
    status: 503,
    detail: 'It is not known whether this was written. Send it again with the same Idempotency-Key.',
    headers: { 'Retry-After': '1' },
  },
}

export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[]
