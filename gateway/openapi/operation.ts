import type { z } from 'zod'
import type { Scope } from '../auth/scopes.ts'
import { type Endpoint, type Method, nothing, type Route } from '../routes/endpoint.ts'
import type { PublicRoute } from '../routes/public.ts'
import type { Documented } from './documented.ts'

/** One operation of the document: a method of a path, with a key or without. */
export interface Operation extends Documented {
  /** As in the document: `/contracts/{id}`. */
  readonly pathTemplate: string
  readonly method: Method
  /** undefined: no key needed. */
  readonly scope: Scope | undefined
  readonly path: z.ZodObject
  readonly query: z.ZodObject
  readonly body: Endpoint['body']
  readonly takesIdempotencyKey: boolean
  /** Whether it can be asked for too often. */
  readonly isLimited: boolean
}

/** The operations of a path that needs a key. */
export function operationsOf({ path, methods }: Route): Operation[] {
  return Object.entries(methods).map(([name, endpoint]) => {
    const method = name as Method
    const takesIdempotencyKey = method !== 'GET' && !endpoint.refusesIdempotencyKey
    return { ...endpoint, pathTemplate: toTemplate(path), method, takesIdempotencyKey, isLimited: true }
  })
}

/** The operation of a public path, unless it is not documented. */
export function publicOperationsOf({ path, documented, unlimited = false }: PublicRoute): Operation[] {
  if (!documented) return []
  const isLimited = !unlimited
  const takesNothing = { scope: undefined, path: nothing, query: nothing, body: undefined, takesIdempotencyKey: false }
  return [{ ...documented, ...takesNothing, pathTemplate: path, method: 'GET', isLimited }]
}

/** `/contracts/:id` → `/contracts/{id}`. */
function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}
