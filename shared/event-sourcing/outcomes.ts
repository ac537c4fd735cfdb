import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import { invalidRequest } from '../fields/check.ts'
import { grouped, type ViolationCode } from '../fields/rule.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { StoreUnavailable } from './ports/event-store.ts'
import { CursorNotFound, MAX_RELATED, TooManyRelated } from './ports/view.ts'

/** The result of a command. */
export type CommandOutcome<State, Rejection> =
  | CommandDone<State>
  /** Refused by the domain. */
  | { readonly type: 'rejected'; readonly rejection: Rejection }
  /** The aggregate's version is none of those that the caller expects. */
  | { readonly type: 'precondition-failed'; readonly version: number }
  /** The commitId belongs to another request. */
  | { readonly type: 'key-reused' }

export interface CommandDone<State> {
  readonly type: 'done'
  /** The state right after this command, also when the answer is a replay. */
  readonly state: State
  readonly version: number
  /** Whether this repeats the answer to an earlier request with the same commitId. */
  readonly replayed: boolean
  /** False when the aggregate was already as requested and no event was written. */
  readonly changed: boolean
}

/** A service's only table that maps its domain's rejections to errors for callers. */
export type RejectionTable<Rejection extends { readonly type: string }> = {
  readonly [Type in Rejection['type']]: (rejection: Extract<Rejection, { readonly type: Type }>) => CodedError
}

/** The error that callers get for a rejection. */
export const errorOf = <Rejection extends { readonly type: string }>(
  rejection: Rejection,
  table: RejectionTable<Rejection>,
): CodedError => table[rejection.type as Rejection['type']](rejection as never)

/** The completed command; throws the CodedError that says why it was not carried out. */
export function doneOrThrow<State, Rejection extends { readonly type: string }>(
  outcome: CommandOutcome<State, Rejection>,
  table: RejectionTable<Rejection>,
): CommandDone<State> {
  switch (outcome.type) {
    case 'done':
      return outcome
    case 'rejected':
      throw errorOf(outcome.rejection, table)
    case 'precondition-failed':
      throw new CodedError(
        'precondition_failed',
        `The record is at version ${outcome.version}, not at an expected one: read it again before you change it.`,
      )
    case 'key-reused':
      throw new CodedError(
        'idempotency_key_reused',
        'This Idempotency-Key (over gRPC, mint-commit-id) was used for another request: use a new one for each new request.',
      )
  }
}

type Method = (request: unknown, context?: CallContext) => Promise<unknown>

/**
 * Wraps a service's methods: StoreUnavailable becomes `unavailable`, with the cause in the log, and what a list can't
 * answer becomes `validation_failed`. The only place where these errors are converted.
 */
export function codingStoreErrors<Service extends object>(service: Service, logger: Logger): Service {
  const coded =
    (method: Method): Method =>
    async (request, context) => {
      try {
        return await method(request, context)
      } catch (error) {
        if (error instanceof CursorNotFound) throw unknownCursor()
        if (error instanceof TooManyRelated) throw tooManyRelated()
        if (!(error instanceof StoreUnavailable)) throw error
        logger.warn({ outage: 'store', err: error, requestId: context?.requestId }, 'the store is unavailable')
        throw new CodedError('unavailable', 'The data store is unavailable and nothing was written: try again.', {
          cause: error,
        })
      }
    }
  return Object.fromEntries(Object.entries(service).map(([name, method]) => [name, coded(method)])) as Service
}

/** The one search in a related view is that by the names of Clients. */
function tooManyRelated(): CodedError {
  const message = `More than ${grouped(MAX_RELATED)} Clients match. Be more specific.`
  return invalidRequest([{ pointer: '/clientName', code: 'too_many_matches' satisfies ViolationCode, message }])
}

function unknownCursor(): CodedError {
  const message =
    'There is no record with this id to continue after. Use the id of the last record of the previous page.'
  return invalidRequest([{ pointer: '/after', code: 'unknown_cursor' satisfies ViolationCode, message }])
}
