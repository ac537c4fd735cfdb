import { withTimeout } from '../../shared/async/with-timeout.ts'
import { CodedError } from '../../shared/calls/errors.ts'

/** Awaits a service's answer. If it is late, rejects with outcome_unknown for a write and unavailable for a read. */
export function inTime<Answer>(answer: Promise<Answer>, milliseconds: number, isWrite: boolean): Promise<Answer> {
  const code = isWrite ? 'outcome_unknown' : 'unavailable'
  return withTimeout(milliseconds, answer, () => new CodedError(code, 'the service did not answer in time'))
}
