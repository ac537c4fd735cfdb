import { answerWithin } from '../../shared/async/answer-within.ts'
import { CodedError } from '../../shared/calls/errors.ts'

/** A service's answer, or the coded error for one that comes too late: a write may then have happened. */
export function inTime<Answer>(answer: Promise<Answer>, milliseconds: number, write: boolean): Promise<Answer> {
  const code = write ? 'outcome_unknown' : 'unavailable'
  return answerWithin(milliseconds, answer, () => new CodedError(code, 'the service did not answer in time'))
}
