import { z } from 'zod'
import { VIOLATION_CODES } from '../../shared/fields/rule.ts'
import { MAX_VIOLATIONS } from '../../shared/shown-violations.ts'
import { PLACES, PROBLEM_CODES } from '../problem.ts'

const violation = z
  .object({
    in: z.enum(PLACES).meta({ description: 'The part of the request that it is in.' }),
    pointer: z.string().meta({ description: 'The field, parameter or header, as a JSON pointer; "": the whole part.' }),
    code: z.enum(VIOLATION_CODES),
    message: z.string().meta({ description: 'What is wrong, what is expected, and what to do.' }),
  })
  .meta({ id: 'Violation' })

/** The body of every answer that is not a success (RFC 9457). */
export const problemShape = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'A sentence that says what to do.' }),
    instance: z.string().meta({ description: 'The path that was asked for.' }),
    code: z.enum(PROBLEM_CODES).meta({ description: 'Stable: what a program should look at.' }),
    requestId: z.string().meta({ description: 'As in X-Request-Id.' }),
    errors: z
      .array(violation)
      .min(1)
      .max(MAX_VIOLATIONS)
      .optional()
      .meta({ description: 'With validation_failed: all that is wrong.' }),
    errorsOmitted: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'How many more violations there are, where `errors` has no room for all.' }),
  })
  .meta({ id: 'Problem' })
