import { MAX_VIOLATIONS, type Violation } from '../../../shared/calls/errors.ts'
import type { ViolationCode } from '../../../shared/fields/rule.ts'
import { type LocatedViolation, ProblemError } from '../../problem.ts'

/** The violations in a file: as many as an answer lists; the rest are counted. */
export type FileViolations = ReturnType<typeof collectViolations>

/** Starts with those in the rest of the request. */
export function collectViolations(ofRequest: readonly LocatedViolation[]) {
  const first = [...ofRequest]
  let more = 0

  function add(violation: LocatedViolation): void {
    if (first.length < MAX_VIOLATIONS) first.push(violation)
    else more += 1
  }

  return {
    /** Adds one in the request outside of the file. */
    add,
    /** Adds those in the row that begins in this line. */
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
