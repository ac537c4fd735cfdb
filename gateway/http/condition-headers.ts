import type { ViolationCode } from '../../shared/fields/rule.ts'
import type { PlacedViolation } from '../problem.ts'
import { parseTags, type TagCondition } from './entity-tags.ts'

/** The value of If-Match or If-None-Match, parsed; a malformed one is added to the errors. */
export function tagCondition(
  name: string,
  value: string | undefined,
  errors: PlacedViolation[],
): TagCondition | undefined {
  if (value === undefined) return undefined
  const condition = parseTags(value)
  if (condition.type === 'malformed') {
    errors.push(malformedHeader(name, 'Give * or a list of entity tags in double quotes, for example "3".'))
  }
  return condition
}

/** A header that can't be understood. */
export function malformedHeader(name: string, hint: string): PlacedViolation {
  return {
    in: 'header',
    pointer: `/${name}`,
    code: 'malformed_header' satisfies ViolationCode,
    message: `Not a valid ${name}. ${hint}`,
  }
}
