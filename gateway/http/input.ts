import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { check } from '../../shared/fields/check.ts'
import type { ViolationCode } from '../../shared/fields/rule.ts'
import { type LocatedViolation, type Location, ProblemError } from '../problem.ts'
import { isIdempotencyKey } from '../routes/call-context.ts'
import type { Endpoint } from '../routes/endpoint.ts'
import { overrideReasonOf } from './closing-override.ts'
import { malformedHeader, matchingVersions, tagCondition } from './entity-tags.ts'
import { parseQuery } from './target.ts'

/** The parts of a request, unchecked. */
interface RawInput {
  readonly parameters: unknown
  readonly query: string
  readonly body: unknown
  /** Its headers. */
  readonly req: Pick<IncomingMessage, 'headers' | 'rawHeaders'>
}

/** A request's parts, valid. */
export type CheckedInput = ReturnType<typeof checkInput>

/** Checks path, query, headers and body together. Throws validation_failed with every violation in all of them. */
export function checkInput(endpoint: Endpoint, raw: RawInput) {
  const input = inspectInput(endpoint, raw)
  const { errors } = input
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors })
  return input
}

/** The same, but returns the violations; where there are any, a part may be undefined. */
export function inspectInput(endpoint: Endpoint, { parameters, query: text, body: json, req }: RawInput) {
  const { headers } = req
  const errors: LocatedViolation[] = []
  const { body: rule, file } = endpoint
  const path = checkPart('path', endpoint.path, parameters, errors)
  const given = parseQuery(text)
  errors.push(...given.violations)
  const query = checkPart('query', endpoint.query, given.values, errors)
  const ifNoneMatch = rule || file ? undefined : tagCondition('If-None-Match', headers['if-none-match'], errors)
  const expectedVersions = expectedVersionsOf(endpoint, headers, errors)
  const idempotencyKey = idempotencyKeyOf(endpoint, headers, errors)
  const overrideReason = overrideReasonOf(endpoint, req, errors)
  const body = rule && checkPart('body', rule.schemaFor?.(json) ?? rule.schema, json, errors, rule.computed)
  const hinted = text.includes('+') ? errors.map((error) => hintAtPlus(error, given.values)) : errors
  return { errors: hinted, path, query, body, ifNoneMatch, expectedVersions, idempotencyKey, overrideReason }
}

function checkPart(
  location: Location,
  schema: z.ZodObject,
  value: unknown,
  errors: LocatedViolation[],
  computed?: readonly string[],
): unknown {
  const checked = check(schema, value, computed)
  if (checked.type === 'valid') return checked.value
  for (const violation of checked.violations) errors.push({ in: location, ...violation })
  return undefined
}

/** Violations of texts that may contain a + but no space: in a query, + means a space. */
const MAY_LACK_PLUS: readonly string[] = ['invalid_timestamp', 'invalid_email'] satisfies ViolationCode[]

function hintAtPlus(error: LocatedViolation, values: Readonly<Record<string, string>>): LocatedViolation {
  if (error.in !== 'query' || !MAY_LACK_PLUS.includes(error.code)) return error
  return values[error.pointer.slice(1)]?.includes(' ')
    ? { ...error, message: `${error.message} In a URL, write + as %2B.` }
    : error
}

/** The versions that If-Match allows; undefined: any. Where there are no versions it is refused, not ignored. */
function expectedVersionsOf(
  { body, refusesWriteHeaders }: Endpoint,
  headers: IncomingMessage['headers'],
  errors: LocatedViolation[],
) {
  const value = headers['if-match']
  if (refusesWriteHeaders && value !== undefined) {
    errors.push(malformedHeader('If-Match', 'Leave it out: what this endpoint changes has no versions.'))
    return undefined
  }
  const condition = body && tagCondition('If-Match', value, errors)
  return condition?.type === 'tags' ? { versions: matchingVersions(condition.tags) } : undefined
}

/** The caller's Idempotency-Key, checked; undefined where none is given or the endpoint takes no body. */
function idempotencyKeyOf(
  { body, file, refusesWriteHeaders }: Endpoint,
  headers: IncomingMessage['headers'],
  errors: LocatedViolation[],
): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key === undefined) return undefined
  if (refusesWriteHeaders) {
    errors.push(malformedHeader('Idempotency-Key', 'Leave it out: answers of this endpoint are never repeated.'))
  } else if ((body || file) && !isIdempotencyKey(key)) {
    errors.push(malformedHeader('Idempotency-Key', 'Give it once, with 1 to 255 visible ASCII characters.'))
  }
  return body || file ? key : undefined
}
