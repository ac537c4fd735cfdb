import { CodedError } from '../../shared/calls/errors.ts'

/** A service's answer, or the coded error for one that comes too late: a write may then have happened. */
export function inTime<Answer>(answer: Promise<Answer>, milliseconds: number, write: boolean): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = (): void => {
      reject(new CodedError(write ? 'outcome_unknown' : 'unavailable', 'the service did not answer in time'))
    }
    const timer = setTimeout(late, milliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
