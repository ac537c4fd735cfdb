import type { Json } from './component-schemas.ts'

const text = { type: 'string' }

/** The headers of answers, by name. */
const HEADERS = {
  'X-Request-Id': {
    description:
      'The X-Request-Id of the request (1 to 128 visible ASCII characters), or a generated one. It is recorded in logs and events.',
    required: true,
    schema: { ...text, pattern: '^[\\u0021-\\u007e]{1,128}$' },
  },
  'RateLimit-Policy': {
    description: 'The limit for each API key: q requests in w seconds (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { ...text, pattern: '^"default";q=[0-9]+;w=1$', examples: ['"default";q=300;w=1'] },
  },
  RateLimit: {
    description: 'What is left of that limit: r requests in the next t seconds.',
    schema: { ...text, pattern: '^"default";r=[0-9]+;t=[0-9]+$', examples: ['"default";r=299;t=1'] },
  },
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { required: true, description: 'The scheme to use.', schema: { const: 'Bearer' } },
  ETag: {
    description:
      'For If-Match and If-None-Match. For a record, its version: "1" at creation, one more with each change.',
    required: true,
    schema: { ...text, pattern: '^"[\\u0021\\u0023-\\u007e]+"$', examples: ['"3"'] },
  },
  Location: {
    description: 'The path of the new record.',
    required: true,
    schema: { ...text, format: 'uri-reference', examples: ['/contracts/7'] },
  },
  Link: {
    description:
      'In a list: the next page (`rel="next"`, RFC 8288), with everything else as in the request; absent on the last page. Its target is relative to the request’s.',
    schema: {
      ...text,
      pattern: '^</[^>]*>; rel="[a-z-]+"$',
      examples: ['</contracts?limit=50&offset=50>; rel="next"'],
    },
  },
  'Idempotency-Replayed': {
    description: 'Present when this repeats the answer to an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  'Content-Disposition': {
    description: 'The name to save the file under.',
    required: true,
    schema: {
      ...text,
      pattern: '^attachment; filename="[a-z]+\\.csv"$',
      examples: ['attachment; filename="contracts.csv"'],
    },
  },
  'Cache-Control': {
    description:
      'Whether the answer may be cached: private, no-store under a valid key and for signing in; no-cache for what must be revalidated.',
    schema: { enum: ['private, no-store', 'no-cache'] },
  },
  'Content-Security-Policy': {
    description: 'Nothing from other origins, nothing inline.',
    required: true,
    schema: text,
  },
  'X-Content-Type-Options': {
    description: 'nosniff, under a valid key, for signing in and on pages.',
    schema: { const: 'nosniff' },
  },
  'Referrer-Policy': { description: 'no-referrer.', required: true, schema: { const: 'no-referrer' } },
  Vary: { description: 'A file is compressed for those who accept gzip.', schema: { const: 'Accept-Encoding' } },
  'Content-Encoding': { description: 'gzip where the request accepts it.', schema: { const: 'gzip' } },
  'Accept-Post': { description: 'The media types that POST accepts here.', schema: text },
  'Accept-Patch': { description: 'The media types that PATCH accepts here.', schema: text },
  'Accept-Encoding': { description: 'identity: compressed bodies are not accepted.', schema: { const: 'identity' } },
} as const satisfies Readonly<Record<string, Json>>

/** The headers that answers are documented with. */
export type AnswerHeader = keyof typeof HEADERS

/** What a file carries that is the same for everyone. */
export const FILE_HEADERS: readonly AnswerHeader[] = ['ETag', 'Cache-Control', 'Vary', 'Content-Encoding']

/** The headers of a page. */
export const PAGE_HEADERS: readonly AnswerHeader[] = [
  ...FILE_HEADERS,
  'Content-Security-Policy',
  'X-Content-Type-Options',
  'Referrer-Policy',
]

/** What every answer under a valid key carries. */
export const PRIVATE: readonly AnswerHeader[] = ['Cache-Control', 'X-Content-Type-Options']

/** What every answer of an endpoint with a key carries once the request has been counted. */
export const COUNTED: readonly AnswerHeader[] = ['RateLimit-Policy', 'RateLimit', ...PRIVATE]

/** The headers of one answer, by reference. */
export function headerReferences(names: readonly AnswerHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** All headers, for the document's components. */
export const headerComponents: Json = HEADERS
