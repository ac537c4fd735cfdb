import type { z } from 'zod'
import type { ComponentSchemas } from './component-schemas.ts'
import type { Json } from './json.ts'
import type { Operation } from './operation.ts'

/** What an operation takes beside its body. */
export function parametersOf(operation: Operation, schemas: ComponentSchemas): Json[] {
  return [
    ...fieldsOf(operation.path, 'path', schemas),
    ...fieldsOf(operation.query, 'query', schemas),
    ...(operation.answers[304] ? [IF_NONE_MATCH] : []),
    ...(operation.method === 'PATCH' ? [IF_MATCH] : []),
    ...(operation.takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
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
    'The ETag of the version that the caller has already, or several, or `*`: answered with 304 while it is current.',
  ...TAG,
}

const IF_MATCH = {
  name: 'If-Match',
  description:
    'The ETag of the version to edit, or several, or `*`: at another version the answer is 412 and nothing changes.',
  ...TAG,
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the caller, a new one for each new request. The same request sent again with the same key gets the first answer, and nothing is written twice; another request with that key is refused with 409.',
  schema: { type: 'string', pattern: '^[\\u0021-\\u007e]{1,255}$', examples: ['order-2026-0001'] },
}
