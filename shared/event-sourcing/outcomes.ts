import { CodedError } from '../calls/errors.ts'

/** The result of a command. */
export type CommandOutcome<State, Rejection> =
  | CommandDone<State>
  /** Refused by the domain. */
  | { readonly type: 'rejected'; readonly rejection: Rejection }
  /** The aggregate's version is not one that the caller expects. */
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
  /** False if the aggregate was already as requested, so that no event was written. */
  readonly changed: boolean
}

/** Maps the rejections of a domain to errors for callers; the only place that does. */
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
