import { problemJson } from '../http/error-to-problem.ts'
import { type PlacedViolation, type ProblemCode, ProblemError } from '../problem.ts'
import type { ComponentSchemas } from './component-schemas.ts'
import { type AnswerHeader, COUNTED, headerReferences } from './headers.ts'
import { type Json, mapToObject } from './json.ts'
import type { Operation } from './operation.ts'
import { problemShape } from './problem-shape.ts'

/** One status with the codes it can have, and which operations can answer so. */
interface ProblemAnswer {
  readonly status: number
  readonly codes: readonly ProblemCode[]
  readonly when: (operation: Operation) => boolean
  readonly headers: readonly AnswerHeader[]
}

const isWrite = ({ method }: Operation): boolean => method !== 'GET'
const needsKey = ({ scope }: Operation): boolean => scope !== undefined
const takesBody = ({ body }: Operation): boolean => body !== undefined
const always = (): boolean => true

/** A problem of a request that was counted. */
function counted(
  status: number,
  codes: readonly ProblemCode[],
  when: ProblemAnswer['when'],
  headers: readonly AnswerHeader[] = [],
): ProblemAnswer {
  return { status, codes, when, headers: [...COUNTED, ...headers] }
}

/** Every problem that an operation can end in, by the name of its component, except 404 and 405 of other paths. */
const PROBLEM_ANSWERS: Readonly<Record<string, ProblemAnswer>> = {
  InvalidRequest: counted(400, ['validation_failed', 'malformed_request'], (operation) => !takesBody(operation)),
  InvalidRequestOrBody: counted(400, ['validation_failed', 'malformed_json', 'malformed_request'], takesBody),
  Unauthorized: {
    status: 401,
    codes: ['missing_api_key', 'invalid_api_key'],
    when: needsKey,
    headers: ['WWW-Authenticate'],
  },
  Forbidden: counted(403, ['insufficient_scope'], needsKey),
  NotFound: counted(404, ['not_found', 'route_not_found'], ({ path }) => Object.keys(path.shape).length > 0),
  RequestTimeout: counted(408, ['request_timeout'], always),
  IdempotencyKeyReused: counted(409, ['idempotency_key_reused'], ({ takesIdempotencyKey }) => takesIdempotencyKey),
  PreconditionFailed: counted(412, ['precondition_failed'], ({ method }) => method === 'PATCH'),
  PayloadTooLarge: counted(413, ['payload_too_large'], takesBody),
  UrlTooLong: { status: 414, codes: ['request_too_large'], when: always, headers: [] },
  UnsupportedMediaType: counted(415, ['unsupported_media_type'], takesBody, [
    'Accept-Post',
    'Accept-Patch',
    'Accept-Encoding',
  ]),
  RateLimited: counted(429, ['rate_limited'], ({ isLimited }) => isLimited, ['Retry-After']),
  HeadersTooLarge: { status: 431, codes: ['request_too_large'], when: always, headers: [] },
  InternalError: counted(500, ['internal_error'], always),
  Unavailable: counted(503, ['unavailable'], (operation) => needsKey(operation) && !isWrite(operation), [
    'Retry-After',
  ]),
  UnavailableOrUnknown: counted(
    503,
    ['unavailable', 'outcome_unknown'],
    (operation) => needsKey(operation) && isWrite(operation),
    ['Retry-After'],
  ),
}

/** The problems that an operation can end in, by status and by reference. */
export function problemReferences(operation: Operation): Json {
  const possible = Object.entries(PROBLEM_ANSWERS).filter(([, { when }]) => when(operation))
  return mapToObject(possible, ([name, { status }]) => [`${status}`, { $ref: `#/components/responses/${name}` }])
}

/** All of them, for the document's components. */
export function problemComponents(schemas: ComponentSchemas): Json {
  const problem = schemas.ofOutput(problemShape)
  return mapToObject(Object.entries(PROBLEM_ANSWERS), ([name, answer]) => [name, toResponse(answer, problem)])
}

function toResponse({ status, codes, headers }: ProblemAnswer, problem: Json): Json {
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
