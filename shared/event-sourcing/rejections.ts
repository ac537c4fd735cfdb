import { CodedError } from '../calls/errors.ts'
import type { CommandDone, CommandOutcome } from './command-outcome.ts'

/** A service's one table from what its domain refuses to what its callers are told. */
export type RejectionTable<Rejection extends { readonly type: string }> = {
  readonly [Type in Rejection['type']]: (rejection: Extract<Rejection, { readonly type: Type }>) => CodedError
}

/** What was done, or the CodedError for why it was not. */
export function doneOrThrow<State, Rejection extends { readonly type: string }>(
  outcome: CommandOutcome<State, Rejection>,
  table: RejectionTable<Rejection>,
): CommandDone<State> {
  switch (outcome.type) {
    case 'done':
      return outcome
    case 'rejected':
      throw table[outcome.rejection.type as Rejection['type']](outcome.rejection as never)
    case 'precondition-failed':
      throw new CodedError(
        'precondition_failed',
        `The record is at version ${outcome.version}, which is none of those expected: read it again, then decide anew.`,
      )
    case 'key-reused':
      throw new CodedError(
        'idempotency_key_reused',
        'This Idempotency-Key (over gRPC, mint-commit-id) was used for another request: use a new one for each new request.',
      )
  }
}
