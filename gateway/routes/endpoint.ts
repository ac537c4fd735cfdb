import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { NeededScope, Scope } from '../../shared/api-keys/scopes.ts'
import type { Caller } from '../../shared/api-keys/serving/api-keys.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import type { TagCondition } from '../http/entity-tags.ts'
import type { Documented } from '../openapi/documented.ts'
import type { LocatedViolation } from '../problem.ts'
import type { Answer, ChunkedAnswer, Later } from './answer.ts'
import type { RouteDependencies } from './dependencies.ts'
import type { PathParameters } from './route-table.ts'

/** The schema of an object that parses to `Value`. */
export type Rule<Value> = z.ZodObject & z.core.$ZodType<Value>

/** What a body may be: its schema, the fields that the service sets itself, and its media types. */
export interface BodyRule<Body = unknown> {
  readonly schema: Rule<Body>
  /** The schema for a body, if it depends on the body; its output is that of `schema`. */
  readonly schemaFor?: (body: unknown) => z.ZodObject
  readonly computed: readonly string[]
  readonly mediaTypes: readonly string[]
  /** Whether it may be omitted, which means `{}`. */
  readonly optional?: boolean
}

/** What a file sent as a body may be. Its content is checked by the endpoint itself. */
export interface FileRule {
  readonly mediaTypes: readonly string[]
  /** For the OpenAPI document. */
  readonly schema: z.ZodType
  readonly description: string
}

/** A file that was sent as the body. */
export interface ReceivedFile {
  readonly bytes: Uint8Array
  readonly idempotencyKey: string | undefined
  /** Violations in the rest of the request, to be answered together with those in the file. */
  readonly errors: readonly LocatedViolation[]
  /** How long a service may take for each call that the import makes. */
  readonly callMilliseconds: number
  /** Throws if the caller's key is no longer valid. */
  readonly checkKey: () => Promise<void>
}

/** A request of another endpoint, as parsed. */
export interface Performed {
  readonly method: Method
  readonly path: string
  /** With its leading `?`, or empty. */
  readonly query: string
  readonly parameters: PathParameters
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/**
 * Answers a request as part of another one, for the same caller: with the same checks, limits and memory budget as if
 * it had come alone, but counted once. Throws ProblemError.
 */
export type Perform = (endpoint: Endpoint, request: Performed) => Promise<Answer & { readonly body: string }>

/** A request whose parts have all passed their checks. */
export interface Input<Path, Query, Body> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly context: CallContext
  /** The key that the request came with. */
  readonly caller: Caller
  readonly headers: IncomingHttpHeaders
  /** For endpoints that carry out other requests. */
  readonly perform: Perform
  /** The origin that the caller used, for endpoints that need no key. */
  readonly origin: string
  readonly ifNoneMatch: TagCondition | undefined
  /** The versions that If-Match allows, as in messages; undefined: any. */
  readonly expectedVersions: { readonly versions: number[] } | undefined
}

/** One method of one path: who may call it, what it takes, what it does, and how it is documented. */
export interface Endpoint extends Documented {
  /** undefined: any valid key will do. */
  readonly scope: NeededScope | undefined
  /** Whether it takes no key: callers are counted and charged by address. */
  readonly isOpen?: boolean
  /** How long its answer may take, if that is longer than usual. */
  readonly timeoutMilliseconds?: number
  readonly path: z.ZodObject
  readonly query: z.ZodObject
  readonly body: BodyRule | undefined
  /** Set if the body is a file: the request has no deadline as a whole, but each call to a service has one. */
  readonly file?: FileRule
  /** Whether it refuses Idempotency-Key, as its answer is never repeated, and If-Match, as what it changes has no versions. */
  readonly refusesWriteHeaders?: boolean
  /** How many bytes making an answer takes at most; by default, as many as its records can have. */
  readonly memory?: number
  /** Calls the service. Its errors are coded. */
  readonly answer: (
    input: Input<never, never, never> & { readonly file: ReceivedFile },
    dependencies: RouteDependencies,
  ) => Promise<Answer | ChunkedAnswer | Later>
}

/** The schema of an endpoint without parameters. */
export const nothing = z.strictObject({})

/** Ties the types of an endpoint's schemas to its `answer` function; without a schema, nothing is accepted. */
export function endpoint<Path, Query, Body>(
  definition: Omit<Endpoint, 'path' | 'query' | 'body' | 'file' | 'answer'> & {
    readonly path?: Rule<Path>
    readonly query?: Rule<Query>
    readonly body?: BodyRule<Body>
    readonly answer: (
      input: Input<Path, Query, Body>,
      dependencies: RouteDependencies,
    ) => Promise<Answer | ChunkedAnswer | Later>
  },
): Endpoint {
  return { path: nothing, query: nothing, body: undefined, ...definition }
}

/** Ties the types of an endpoint that takes a file. */
export function fileEndpoint<Query>(
  definition: Documented & {
    readonly scope: Scope
    readonly query: Rule<Query>
    readonly file: FileRule
    readonly answer: (
      input: Pick<Input<never, Query, never>, 'query' | 'context'> & { readonly file: ReceivedFile },
    ) => Promise<Answer>
  },
): Endpoint {
  return { path: nothing, body: undefined, ...definition }
}

export const JSON_BODY = ['application/json']
export const MERGE_PATCH_BODY = ['application/json', 'application/merge-patch+json']

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A path in Express's notation, with its methods. */
export interface Route {
  readonly path: string
  readonly methods: Readonly<Partial<Record<Method, Endpoint>>>
}
