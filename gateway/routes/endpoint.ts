import { z } from 'zod'
import type { Scope } from '../../shared/api-keys/scopes.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import type { TagCondition } from '../http/entity-tags.ts'
import type { Documented } from '../openapi/documented.ts'
import type { Answer, ChunkedAnswer } from './answer.ts'

/** The rules of an object that comes out as `Value`. */
export type Rule<Value> = z.ZodObject & z.core.$ZodType<Value>

/** What a body may be: its rules, the names that the service sets by itself, and whether it is a merge patch. */
export interface BodyRule<Body = unknown> {
  readonly schema: Rule<Body>
  readonly computed: readonly string[]
  readonly mediaTypes: readonly string[]
  /** Whether it may be left out, and then is `{}`. */
  readonly optional?: boolean
}

/** A request whose every part has passed its rules. */
export interface Input<Path, Query, Body> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly context: CallContext
  readonly ifNoneMatch: TagCondition | undefined
  /** The versions that If-Match allows; undefined: any. */
  readonly expectedVersions: readonly number[] | undefined
}

/** One method of one path: who may call it, what it takes, what it does, and how it is documented. */
export interface Endpoint extends Documented {
  readonly scope: Scope
  readonly path: z.ZodObject
  readonly query: z.ZodObject
  readonly body: BodyRule | undefined
  /** Where the same answer must not be given twice. */
  readonly refusesIdempotencyKey?: boolean
  /** Calls the service. Its errors are coded. */
  readonly answer: (input: Input<never, never, never>) => Promise<Answer | ChunkedAnswer>
}

/** Where no parameters are taken. */
export const nothing = z.strictObject({})

/** Ties the types of an endpoint's schemas to its function; those that are absent take nothing. */
export function endpoint<Path, Query, Body>(
  definition: Documented & {
    readonly scope: Scope
    readonly path?: Rule<Path>
    readonly query?: Rule<Query>
    readonly body?: BodyRule<Body>
    readonly refusesIdempotencyKey?: boolean
    readonly answer: (input: Input<Path, Query, Body>) => Promise<Answer | ChunkedAnswer>
  },
): Endpoint {
  return { path: nothing, query: nothing, body: undefined, ...definition }
}

export const JSON_BODY = ['application/json']
export const MERGE_PATCH_BODY = ['application/json', 'application/merge-patch+json']

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A path in Express's notation with what it takes. */
export interface Route {
  readonly path: string
  readonly methods: Readonly<Partial<Record<Method, Endpoint>>>
}
