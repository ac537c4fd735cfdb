import { z } from 'zod'
import { CodedError, type Violation } from '../calls/errors.ts'
import { grouped, typeMessage, type ViolationCode } from './rule.ts'

/** The result of a check: the value as transformed by the rules (lower case, normalised), or everything wrong with it. */
export type Checked<Value> =
  | { readonly type: 'valid'; readonly value: Value }
  | { readonly type: 'invalid'; readonly violations: readonly Violation[] }

/**
 * Checks an input against an object schema and reports every violation at once. `computed`: the names of fields that the
 * service sets, which are refused with that reason.
 */
export function check<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  computed: readonly string[] = [],
): Checked<z.output<Schema>> {
  const result = compiled(schema).safeParse(input, { reportInput: true })
  if (result.success) return { type: 'valid', value: result.data }
  return { type: 'invalid', violations: toViolations(result.error, schema, computed) }
}

/** The input as transformed by the schema. Throws CodedError `validation_failed` with everything that is wrong. */
export function validated<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const checked = check(schema, input)
  if (checked.type === 'valid') return checked.value
  throw invalidRequest(checked.violations)
}

/** The error for an invalid request. */
export function invalidRequest(violations: readonly Violation[]): CodedError {
  return new CodedError('validation_failed', 'The request is not valid: see the violations.', { violations })
}

/**
 * Compiles a schema (https://zod.dev/compile), which saves a tenth of the time of a request. At its first use, because
 * compiling all schemas would add a tenth to the start-up time.
 */
function compiled<Schema extends z.ZodObject>(schema: Schema): Schema {
  const known = COMPILED.get(schema) ?? z.compile(schema)
  COMPILED.set(schema, known)
  return known as Schema
}

/** Compiled schemas by their originals. */
const COMPILED = new WeakMap<z.ZodObject, z.ZodObject>()

/** `error` must come from a parse with `reportInput`, which distinguishes a missing value from one of another type. */
function toViolations(error: z.ZodError, schema: z.ZodObject, computed: readonly string[]): readonly Violation[] {
  return error.issues.flatMap((issue) => {
    const parent = toPointer(issue.path)
    if (issue.code !== 'unrecognized_keys') {
      return [{ pointer: parent, code: codeOf(issue), message: messageOf(issue) }]
    }
    const fields = fieldsAt(schema, issue.path)
    const hint = issue.keys.length <= MAX_HINTS && fields.length > 0 ? `, or use one of: ${fields.join(', ')}` : ''
    return issue.keys.map((key) => unexpected(`${parent}${toPointer([key])}`, computed.includes(key), hint))
  })
}

/** The fields of the object at this path of a schema; none if the path leads through anything but objects. */
function fieldsAt(schema: z.ZodObject, path: readonly PropertyKey[]): readonly string[] {
  let object: unknown = schema
  for (const name of path) object = object instanceof z.ZodObject ? object.shape[String(name)] : undefined
  return object instanceof z.ZodObject ? Object.keys(object.shape) : []
}

/** A JSON pointer (RFC 6901): `['a/b', 0]` → `/a~1b/0`. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** With more unknown fields than this the hint is left out, so that a small body can't cause a huge answer. */
const MAX_HINTS = 10

function unexpected(pointer: string, isComputed: boolean, hint: string): Violation {
  return isComputed
    ? { pointer, code: 'computed_field', message: 'The service sets this field itself. Remove it.' }
    : { pointer, code: 'unknown_field', message: `Unknown name. Remove it${hint}.` }
}

/**
 * The rule's own message. An input that isn't an object fails before any rule runs, so it gets a message here, and so do
 * bounds, for which zod would write `expected number to be >=1`.
 */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.path.length === 0) return typeMessage('an object')(issue)
  if (issue.code === 'too_small') return `Out of range. Give at least ${grouped(Number(issue.minimum))}.`
  if (issue.code === 'too_big') return `Out of range. Give at most ${grouped(Number(issue.maximum))}.`
  return issue.message
}

function codeOf(issue: z.core.$ZodIssue): ViolationCode {
  if (issue.code === 'custom' && issue.params?.violation) return issue.params.violation
  if (issue.input === undefined) return 'required'
  if (issue.code === 'too_small' || issue.code === 'too_big') return 'out_of_range'
  if (issue.code === 'invalid_value' && typeof issue.input === 'string') return 'not_allowed'
  return issue.input === Infinity || issue.input === -Infinity ? 'out_of_range' : 'wrong_type'
}
