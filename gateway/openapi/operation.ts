import type { z } from 'zod'
import { CLOSING_OVERRIDE } from '../../shared/fields/closing-fields.ts'
import { takesClosingOverride } from '../http/closing-override.ts'
import { type Endpoint, type Method, nothing, type Route } from '../routes/endpoint.ts'
import type { AnyRoute, PublicRoute } from '../routes/public.ts'
import type { ComponentSchemas, Json } from './component-schemas.ts'
import type { Documented } from './documented.ts'

/** One operation of the document: a method of a path, with a key or without. */
export interface Operation extends Documented, Pick<Endpoint, 'scope' | 'path' | 'query' | 'body' | 'file'> {
  /** As in the document: `/contracts/{id}`. */
  readonly pathTemplate: string
  readonly method: Method
  readonly needsKey: boolean
  readonly takesIdempotencyKey: boolean
  readonly takesIfMatch: boolean
  /** Whether a rate limit applies to it. */
  readonly isLimited: boolean
  /** As in PublicRoute. */
  readonly isPage?: boolean
  readonly asksServices?: boolean
}

/** The operations of a path. */
export const operationsOf = (route: AnyRoute): Operation[] =>
  'methods' in route ? keyedOperations(route) : publicOperations(route)

function keyedOperations({ path, methods }: Route): Operation[] {
  return Object.entries(methods).map(([name, endpoint]) => {
    const method = name as Method
    const takesIdempotencyKey = method !== 'GET' && !endpoint.refusesWriteHeaders
    const takesIfMatch = (method === 'PATCH' || method === 'PUT') && takesIdempotencyKey
    const takes = { needsKey: !endpoint.isOpen, takesIdempotencyKey, takesIfMatch, isLimited: true }
    return { ...endpoint, ...takes, pathTemplate: toTemplate(path), method }
  })
}

/** None if it is not documented. */
function publicOperations(route: PublicRoute): Operation[] {
  const { path, documented, isUnlimited = false, isPage = false, asksServices = false } = route
  if (!documented) return []
  const isLimited = !isUnlimited
  const takesNothing = {
    needsKey: false,
    scope: undefined,
    path: nothing,
    query: nothing,
    body: undefined,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  }
  return [{ ...documented, ...takesNothing, pathTemplate: path, method: 'GET', isLimited, isPage, asksServices }]
}

/** `/contracts/:id` → `/contracts/{id}`. */
function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

/** What an operation takes besides its body. */
export function parametersOf(operation: Operation, schemas: ComponentSchemas): Json[] {
  return [
    ...fieldsOf(operation.path, 'path', schemas),
    ...fieldsOf(operation.query, 'query', schemas),
    ...(operation.answers[304] ? [IF_NONE_MATCH] : []),
    ...(operation.takesIfMatch ? [IF_MATCH] : []),
    ...(operation.takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ...(takesClosingOverride(operation) ? [CLOSING_OVERRIDE_HEADER] : []),
  ]
}

function fieldsOf(object: z.ZodObject, place: 'path' | 'query', schemas: ComponentSchemas): Json[] {
  const { properties = {}, required = [] } = schemas.ofInput(object) as {
    properties?: Record<string, Json>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema,
  }))
}

const TAG = { in: 'header', schema: { type: 'string' }, example: '"3"' }

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  description:
    'The ETag of the version that the caller already has, several, or `*`: answered with 304 while it is current.',
  ...TAG,
}

const IF_MATCH = {
  name: 'If-Match',
  description:
    'The ETag of the version to edit, several, or `*`: at any other version the answer is 412 and nothing changes.',
  ...TAG,
}

const CLOSING_OVERRIDE_HEADER = {
  name: CLOSING_OVERRIDE,
  in: 'header',
  description:
    'Why this is written into a closed period, 1 to 500 characters in UTF-8 with percent-encoding. Requires the scope `closing:override`; otherwise 403. The history shows it; in an open period it has no effect.',
  schema: { type: 'string', examples: ['Filed%20late%2C%20as%20agreed'] },
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the caller, a new one for each new request. The same request sent again with the same key gets the first answer, and nothing is written twice; a different request with that key is refused with 409.',
  schema: { type: 'string', pattern: '^[\\u0021-\\u007e]{1,255}$', examples: ['order-2026-0001'] },
}
