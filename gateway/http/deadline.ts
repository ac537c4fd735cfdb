import { CodedError } from '../../shared/calls/errors.ts'

/** Awaits a service's answer. If it is late, rejects with outcome_unknown for a write and unavailable for a read. */
export function inTime<Answer>(answer: Promise<Answer>, milliseconds: number, write: boolean): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = (): void => {
      reject(new CodedError(write ? 'outcome_unknown' : 'unavailable', 'the service did not answer in time'))
    }
    const timer = setTimeout(late, milliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
