import { z } from 'zod'
import { MAX_VIOLATIONS } from '../../shared/calls/errors.ts'
import { VIOLATION_CODES } from '../../shared/fields/rule.ts'
import { takesClosingOverride } from '../http/closing-override.ts'
import { problemJson } from '../http/error-to-problem.ts'
import { LOCATIONS, type LocatedViolation, PROBLEM_CODES, type ProblemCode, ProblemError } from '../problem.ts'
import type { ComponentSchemas, Json } from './component-schemas.ts'
import { type AnswerHeader, COUNTED, headerReferences, PRIVATE } from './headers.ts'
import type { Operation } from './operation.ts'

const violation = z
  .object({
    in: z.enum(LOCATIONS).meta({ description: 'The part of the request that it is in.' }),
    line: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Of a CSV file: the line where the row begins, from 1, which is the header.' }),
    pointer: z.string().meta({ description: 'The field, parameter or header, as a JSON pointer; "": the whole part.' }),
    code: z.enum(VIOLATION_CODES),
    message: z.string().meta({ description: 'What is wrong, what is expected, and what to do.' }),
  })
  .meta({ id: 'Violation' })

/** The body of every answer that is not a success (RFC 9457). */
const problemShape = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'A sentence that says what to do.' }),
    instance: z.string().meta({ description: 'The path of the request.' }),
    code: z.enum(PROBLEM_CODES).meta({ description: 'Stable: what a program should check.' }),
    requestId: z.string().meta({ description: 'As in X-Request-Id.' }),
    errors: z
      .array(violation)
      .min(1)
      .max(MAX_VIOLATIONS)
      .optional()
      .meta({ description: 'With validation_failed: everything that is wrong.' }),
    errorsOmitted: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'How many more violations there are, if `errors` has no room for all of them.' }),
    written: z.int().min(0).optional().meta({
      description:
        'Of a CSV file that is refused: how many of its rows are written, by this request or by earlier ones with its Idempotency-Key. Left out where that is not known.',
    }),
  })
  .meta({ id: 'Problem' })

type When = (operation: Operation) => boolean

const isWrite: When = ({ method }) => method !== 'GET'
const needsKey: When = (operation) => operation.needsKey
const needsScope: When = ({ scope }) => scope !== undefined
const takesJson: When = ({ body }) => body !== undefined
const takesBody: When = ({ body, file }) => body !== undefined || file !== undefined
const proposes: When = ({ scope }) => scope === 'contracts:propose'
const decidesProposal: When = ({ pathTemplate }) => pathTemplate.startsWith('/proposals/{id}/')
const signsIn: When = ({ pathTemplate }) => pathTemplate === '/sign-in'
const asksServices: When = (one) => one.needsKey || one.asksServices === true || signsIn(one)
const editsFirm: When = ({ scope }) => scope === 'firm:write'
const createsWebhook: When = ({ operationId }) => operationId === 'createWebhook'
const always: When = () => true

/** A status with its possible codes, the operations that can answer with it, and its headers. */
function answer(status: number, codes: readonly ProblemCode[], when: When, ...headers: readonly AnswerHeader[]) {
  return { status, codes, when, headers }
}

/** A problem that can occur once the request has been counted. */
function counted(status: number, codes: readonly ProblemCode[], when: When, ...headers: readonly AnswerHeader[]) {
  return answer(status, codes, when, ...COUNTED, ...headers)
}

/** Every problem that an operation can end in, by the name of its component; not the 404 and 405 of other paths. */
const PROBLEM_ANSWERS: Readonly<Record<string, ReturnType<typeof answer>>> = {
  InvalidRequest: counted(400, ['validation_failed', 'malformed_request'], (operation) => !takesJson(operation)),
  InvalidRequestOrBody: counted(400, ['validation_failed', 'malformed_json', 'malformed_request'], takesJson),
  Unauthorized: answer(401, ['missing_api_key', 'invalid_api_key'], needsKey, 'WWW-Authenticate'),
  Forbidden: counted(403, ['insufficient_scope'], (one) => needsScope(one) || (signsIn(one) && takesJson(one))),
  NotFound: counted(
    404,
    ['not_found', 'route_not_found'],
    (one) => Object.keys(one.path.shape).length > 0 || proposes(one) || (signsIn(one) && isWrite(one)),
  ),
  RequestTimeout: counted(408, ['request_timeout'], always),
  IdempotencyKeyReused: counted(
    409,
    ['idempotency_key_reused'],
    (one) => one.takesIdempotencyKey && !takesClosingOverride(one) && !editsFirm(one) && !proposes(one),
  ),
  IdempotencyKeyReusedOrTooManyProposals: counted(409, ['idempotency_key_reused', 'too_many_proposals'], proposes),
  IdempotencyKeyReusedOrCurrencyFixed: counted(409, ['idempotency_key_reused', 'currency_fixed'], editsFirm),
  IdempotencyKeyReusedOrPeriodClosed: counted(
    409,
    ['idempotency_key_reused', 'period_closed'],
    (one) => takesClosingOverride(one) && !decidesProposal(one),
  ),
  IdempotencyKeyReusedProposalEndedOrPeriodClosed: counted(
    409,
    ['idempotency_key_reused', 'proposal_ended', 'period_closed'],
    decidesProposal,
  ),
  TooManyWebhooks: counted(409, ['too_many_webhooks'], createsWebhook),
  PreconditionFailed: counted(412, ['precondition_failed'], (one) => one.takesIfMatch || proposes(one)),
  PayloadTooLarge: counted(413, ['payload_too_large'], takesBody),
  UrlTooLong: answer(414, ['request_too_large'], always, ...PRIVATE),
  UnsupportedMediaType: counted(
    415,
    ['unsupported_media_type'],
    takesBody,
    'Accept-Post',
    'Accept-Patch',
    'Accept-Encoding',
  ),
  MisdirectedRequest: counted(421, ['misdirected_request'], ({ isPage }) => isPage === true),
  RateLimited: counted(429, ['rate_limited'], ({ isLimited }) => isLimited, 'Retry-After'),
  HeadersTooLarge: answer(431, ['request_too_large'], always, ...PRIVATE),
  InternalError: counted(500, ['internal_error'], always),
  Unavailable: counted(503, ['unavailable'], (one) => asksServices(one) && !isWrite(one), 'Retry-After'),
  UnavailableOrUnknown: counted(
    503,
    ['unavailable', 'outcome_unknown'],
    (one) => asksServices(one) && isWrite(one),
    'Retry-After',
  ),
}

/** The problems that an operation can end in, by status and by reference. */
export function problemReferences(operation: Operation): Json {
  const possible = Object.entries(PROBLEM_ANSWERS).filter(([, { when }]) => when(operation))
  return Object.fromEntries(possible.map(([name, { status }]) => [status, { $ref: `#/components/responses/${name}` }]))
}

/** All problems, for the document's components. */
export function problemComponents(schemas: ComponentSchemas): Json {
  const problem = schemas.ofOutput(problemShape)
  return Object.fromEntries(
    Object.entries(PROBLEM_ANSWERS).map(([name, answer]) => [name, toResponse(answer, problem)]),
  )
}

function toResponse({ status, codes, headers }: ReturnType<typeof answer>, problem: Json): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${new ProblemError(code).message}`).join('\n\n'),
    headers: headerReferences(['X-Request-Id', ...headers]),
    content: {
      'application/problem+json': {
        // The same schema for every status: client generators would ignore narrower ones.
        schema: problem,
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code, status) }])),
      },
    },
  }
}

function example(code: ProblemCode, status: number): unknown {
  const problem = new ProblemError(code, { status, errors: [EXAMPLE_VIOLATION] })
  return JSON.parse(problemJson(problem, { path: '/contracts/7', requestId: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a03' }))
}

const EXAMPLE_VIOLATION: LocatedViolation = {
  in: 'query',
  pointer: '/limit',
  code: 'out_of_range',
  message: 'Out of range. Give a whole number from 1 to 100, in decimal digits.',
}
