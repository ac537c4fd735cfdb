import { MAX_VIOLATIONS, type Violation } from '../../../shared/calls/errors.ts'
import type { ViolationCode } from '../../../shared/fields/rule.ts'
import { type LocatedViolation, ProblemError } from '../../problem.ts'

/** What is wrong in a file, as much of it as an answer lists; the rest is counted. */
export type FileViolations = ReturnType<typeof collectViolations>

/** Starts with those of the rest of the request. */
export function collectViolations(ofRequest: readonly LocatedViolation[]) {
  const first = [...ofRequest]
  let more = 0

  function add(violation: LocatedViolation): void {
    if (first.length < MAX_VIOLATIONS) first.push(violation)
    else more += 1
  }

  return {
    /** Something that is wrong with the request beside the file. */
    add,
    /** What is wrong with the row that begins in this line. */
    addRow(line: number, violations: readonly Violation[]): void {
      for (const violation of violations) add({ in: 'body', line, ...violation })
    },
    /** Throws validation_failed if anything is wrong. `written`: how many rows are, by earlier requests. */
    check(written: number): void {
      if (first.length === 0) return
      throw new ProblemError('validation_failed', { errors: first, errorsOmitted: more, written })
    },
  }
}

/** One violation, with a code that the API documents. */
export function violation(pointer: string, code: ViolationCode, message: string): Violation {
  return { pointer, code, message }
}
