import { CodedError, type ErrorCode, MAX_VIOLATIONS, shownViolations } from '../../shared/calls/errors.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { STATUS_CODES } from '../../shared/runtime/http/node-http.ts'
import { withoutSecrets } from '../../shared/runtime/log/logger.ts'
import { type Location, ProblemError } from '../problem.ts'

/**
 * The one place where errors become problems; the text of an unexpected error goes to the log only. `location` returns
 * the part of the request that a violation is in; `repeatable` says whether the request has an Idempotency-Key.
 */
export function toProblem(
  error: unknown,
  { location, repeatable }: { readonly location: (pointer: string) => Location; readonly repeatable: boolean },
): ProblemError {
  if (error instanceof ProblemError) return error
  if (error instanceof CodedError) {
    const errors = error.violations.map((violation) => ({ in: location(violation.pointer), ...violation }))
    const unknown = error.code === 'outcome_unknown' && !repeatable && { detail: UNKNOWN_AND_NOT_REPEATABLE }
    const specific = SPECIFIC.includes(error.code) && { detail: error.message }
    const limited = error.code === 'rate_limited' && { detail: error.message, headers: { 'Retry-After': '1' } }
    return new ProblemError(error.code, { errors, cause: error, ...unknown, ...specific, ...limited })
  }
  if (error instanceof StoreUnavailable) return new ProblemError('unavailable', { cause: error })
  return new ProblemError('internal_error', { cause: error })
}

/** The codes whose own messages are shown: they name the date, the currency, the proposal's status, or the scope. */
const SPECIFIC: readonly string[] = [
  'period_closed',
  'currency_fixed',
  'proposal_ended',
  'insufficient_scope',
] satisfies ErrorCode[]

const UNKNOWN_AND_NOT_REPEATABLE =
  'It is not known whether this was written. Get the record or the list to find out before you send it again.'

/**
 * The body of a problem (RFC 9457), of at most 64,000 bytes. An API key that was sent in place of an id is masked: it
 * would end up in other people’s logs.
 */
export function problemJson(problem: ProblemError, request: { path: string; requestId: string }): string {
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[problem.status],
    status: problem.status,
    detail: problem.message,
    instance: withoutSecrets(request.path),
    code: problem.code,
    requestId: request.requestId,
    ...(problem.code === 'validation_failed' && errorsOf(problem)),
    ...(problem.written !== undefined && { written: problem.written }),
  })
}

/** The rest of a problem can reach 24,000 bytes: a path of 8,192 characters, some of them escaped or masked. */
const MAX_ERROR_BYTES = 40_000

function errorsOf({ errors: all, errorsOmitted: more }: ProblemError) {
  const first = all.slice(0, MAX_VIOLATIONS).map(({ in: location, line, pointer, code, message }) => ({
    in: location,
    ...(line !== undefined && { line }),
    pointer: withoutSecrets(pointer),
    code,
    message,
  }))
  const errors = shownViolations(first, MAX_ERROR_BYTES)
  const errorsOmitted = all.length + more - errors.length
  return { errors, ...(errorsOmitted > 0 && { errorsOmitted }) }
}
