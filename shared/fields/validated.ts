import type { z } from 'zod'
import { CodedError } from '../errors.ts'
import { check } from './check.ts'

/** The input as the schema's rules form it. Throws CodedError `validation_failed` with everything that is wrong. */
export function validated<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const checked = check(schema, input)
  if (checked.type === 'valid') return checked.value
  const { violations } = checked
  throw new CodedError('validation_failed', 'The request is not valid: see the violations.', { violations })
}
