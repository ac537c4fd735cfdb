import { problemJson } from '../http/error-to-problem.ts'
import { type PlacedViolation, type ProblemCode, ProblemError } from '../problem.ts'
import type { ComponentSchemas } from './component-schemas.ts'
import { type AnswerHeader, COUNTED, headerReferences } from './headers.ts'
import { type Json, mapToObject } from './json.ts'
import type { Operation } from './operation.ts'
import { problemShape } from './problem-shape.ts'

/** One status with the codes it can have, and which operations can answer so. */
interface ProblemAnswer {
  /** Of the component. */
  readonly name: string
  readonly status: number
  readonly codes: readonly ProblemCode[]
  readonly headers?: readonly AnswerHeader[]
  readonly when: (operation: Operation) => boolean
}

const isWrite = ({ method }: Operation): boolean => method !== 'GET'
const needsKey = ({ scope }: Operation): boolean => scope !== undefined
const takesBody = ({ body }: Operation): boolean => body !== undefined
const always = (): boolean => true

/** Every problem that an operation can end in, except 404 and 405 of paths that have no such operation. */
const PROBLEM_ANSWERS: readonly ProblemAnswer[] = [
  {
    name: 'InvalidRequest',
    status: 400,
    codes: ['validation_failed', 'malformed_request'],
    headers: COUNTED,
    when: (operation) => !takesBody(operation),
  },
  {
    name: 'InvalidRequestOrBody',
    status: 400,
    codes: ['validation_failed', 'malformed_json', 'malformed_request'],
    headers: COUNTED,
    when: takesBody,
  },
  {
    name: 'Unauthorized',
    status: 401,
    codes: ['missing_api_key', 'invalid_api_key'],
    headers: ['WWW-Authenticate'],
    when: needsKey,
  },
  { name: 'Forbidden', status: 403, codes: ['insufficient_scope'], headers: COUNTED, when: needsKey },
  {
    name: 'NotFound',
    status: 404,
    codes: ['not_found', 'route_not_found'],
    headers: COUNTED,
    when: ({ path }) => Object.keys(path.shape).length > 0,
  },
  { name: 'RequestTimeout', status: 408, codes: ['request_timeout'], headers: COUNTED, when: always },
  {
    name: 'IdempotencyKeyReused',
    status: 409,
    codes: ['idempotency_key_reused'],
    headers: COUNTED,
    when: ({ takesIdempotencyKey }) => takesIdempotencyKey,
  },
  {
    name: 'PreconditionFailed',
    status: 412,
    codes: ['precondition_failed'],
    headers: COUNTED,
    when: ({ method }) => method === 'PATCH',
  },
  { name: 'PayloadTooLarge', status: 413, codes: ['payload_too_large'], headers: COUNTED, when: takesBody },
  { name: 'UrlTooLong', status: 414, codes: ['request_too_large'], when: always },
  {
    name: 'UnsupportedMediaType',
    status: 415,
    codes: ['unsupported_media_type'],
    headers: [...COUNTED, 'Accept-Post', 'Accept-Patch', 'Accept-Encoding'],
    when: takesBody,
  },
  {
    name: 'RateLimited',
    status: 429,
    codes: ['rate_limited'],
    headers: [...COUNTED, 'Retry-After'],
    when: ({ isLimited }) => isLimited,
  },
  { name: 'HeadersTooLarge', status: 431, codes: ['request_too_large'], when: always },
  { name: 'InternalError', status: 500, codes: ['internal_error'], headers: COUNTED, when: always },
  {
    name: 'Unavailable',
    status: 503,
    codes: ['unavailable'],
    headers: [...COUNTED, 'Retry-After'],
    when: (operation) => needsKey(operation) && !isWrite(operation),
  },
  {
    name: 'UnavailableOrUnknown',
    status: 503,
    codes: ['unavailable', 'outcome_unknown'],
    headers: [...COUNTED, 'Retry-After'],
    when: (operation) => needsKey(operation) && isWrite(operation),
  },
]

/** The problems that an operation can end in, by status and by reference. */
export function problemReferences(operation: Operation): Json {
  const possible = PROBLEM_ANSWERS.filter(({ when }) => when(operation))
  return mapToObject(possible, ({ status, name }) => [`${status}`, { $ref: `#/components/responses/${name}` }])
}

/** All of them, for the document's components. */
export function problemComponents(schemas: ComponentSchemas): Json {
  const problem = schemas.ofOutput(problemShape)
  return mapToObject(PROBLEM_ANSWERS, (answer) => [answer.name, toResponse(answer, problem)])
}

function toResponse({ status, codes, headers = [] }: ProblemAnswer, problem: Json): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${new ProblemError(code).message}`).join('\n\n'),
    headers: headerReferences(['X-Request-Id', ...headers]),
    content: {
      'application/problem+json': {
        // The same schema for every status: a narrower one each would be left out by generators of clients.
        schema: problem,
        examples: mapToObject(codes, (code) => [code, { value: example(code, status) }]),
      },
    },
  }
}

function example(code: ProblemCode, status: number): unknown {
  const problem = new ProblemError(code, { status, errors: [EXAMPLE_VIOLATION] })
  return JSON.parse(problemJson(problem, { path: '/contracts/7', requestId: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a03' }))
}

const EXAMPLE_VIOLATION: PlacedViolation = {
  in: 'query',
  pointer: '/limit',
  code: 'out_of_range',
  message: 'Out of range. Give a whole number from 1 to 100, in decimal digits.',
}
