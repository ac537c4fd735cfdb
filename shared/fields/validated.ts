import type { z } from 'zod'
import { CodedError, type Violation } from '../errors.ts'
import { check } from './check.ts'

/** The input as the schema's rules form it. Throws CodedError `validation_failed` with everything that is wrong. */
export function validated<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const checked = check(schema, input)
  if (checked.type === 'valid') return checked.value
  throw invalidRequest(checked.violations)
}

/** `validation_failed` with what is wrong, also where only the service itself could find out. */
export function invalidRequest(violations: readonly Violation[]): CodedError {
  return new CodedError('validation_failed', 'The request is not valid: see the violations.', { violations })
}
