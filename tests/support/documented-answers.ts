import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type DocumentedOperation, dereferenced, methodsAt, openApi } from './openapi-document.ts'
import type { RestAnswer } from './rest.ts'

/** Checks an answer of the REST API against the OpenAPI document: its status, headers, media type and body. */
export function assertDocumented(method: string, target: string, answer: RestAnswer): void {
  if (FILES_OF_PAGES.test(target)) return
  const about = `${method} ${target} → ${answer.status} ${answer.text.slice(0, 500)}`
  const response = dereferenced(responseFor(method, target, answer))
  assert.ok(response, `an answer that is not documented: ${about}`)
  assertHeaders(response.headers, answer.headers, about)
  const isEmpty = method === 'HEAD' || response.content === undefined
  if (isEmpty) assert.equal(answer.text, '', about)
  else assertBody(response.content, answer, about)
}

const FILES_OF_PAGES = /^\/(docs|console)\/./

/** The documented answer with this status. */
function responseFor(method: string, target: string, { status, headers }: RestAnswer) {
  const methods = methodsAt(target)
  const operation = methods?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (operation) return operation.responses[status]
  if (!methods || status !== 405) return UNROUTED[status]
  assert.equal(headers.get('allow'), allowed(methods), `Allow of ${target}`)
  return METHOD_NOT_ALLOWED
}

function allowed(methods: Readonly<Record<string, DocumentedOperation>>): string {
  return Object.keys(methods)
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .join(', ')
}

/** The answers to a request that matches no operation, as the document's introduction describes them. */
const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
const REQUEST_ID = { $ref: '#/components/headers/X-Request-Id' }
/** With a valid key. */
const PRIVATE = {
  'Cache-Control': { $ref: '#/components/headers/Cache-Control' },
  'X-Content-Type-Options': { $ref: '#/components/headers/X-Content-Type-Options' },
}
const METHOD_NOT_ALLOWED = {
  headers: { 'X-Request-Id': REQUEST_ID, Allow: { required: true }, ...PRIVATE },
  content: PROBLEM,
}
const UNROUTED: Readonly<Record<number, unknown>> = {
  400: { $ref: '#/components/responses/InvalidRequest' },
  404: { headers: { 'X-Request-Id': REQUEST_ID, ...PRIVATE }, content: PROBLEM },
  414: { $ref: '#/components/responses/UrlTooLong' },
  429: { $ref: '#/components/responses/RateLimited' },
  431: { $ref: '#/components/responses/HeadersTooLarge' },
}

/** Headers that HTTP itself needs, and Content-Type, which is documented elsewhere. */
const COMMON_HEADERS = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']

// biome-ignore lint/suspicious/noExplicitAny: JSON
function assertHeaders(documented: Record<string, any>, headers: Headers, about: string): void {
  const names = Object.keys(documented).map((name) => name.toLowerCase())
  const unknown = [...headers.keys()].filter((name) => !names.includes(name) && !COMMON_HEADERS.includes(name))
  assert.deepEqual(unknown, [], `headers that are not documented: ${about}`)
  for (const [name, reference] of Object.entries(documented)) {
    const { required = false, schema } = dereferenced(reference)
    const value = headers.get(name)
    assert.ok(value !== null || !required, `the header ${name} is missing: ${about}`)
    if (value === null || schema === undefined) continue
    assertValid(validatorOf(schema), schema.type === 'integer' ? Number(value) : value, `${name} of ${about}`)
  }
}

function assertBody(
  content: Record<string, { schema: object; examples?: object }>,
  answer: RestAnswer,
  about: string,
): void {
  const mediaType = answer.headers.get('content-type')?.split(';', 1)[0] ?? ''
  const documented = content[mediaType]
  assert.ok(documented, `the media type ${mediaType} is not documented: ${about}`)
  const isProblem = mediaType === 'application/problem+json'
  // The examples say which codes come with a status.
  if (isProblem && documented.examples)
    assert.ok(answer.body.code in documented.examples, `an undocumented code: ${about}`)
  assertValid(validatorOf(documented.schema), mediaType.startsWith('text/') ? answer.text : answer.body, about)
}

function assertValid(validate: ValidateFunction, value: unknown, about: string): void {
  if (!validate(value)) assert.fail(`${ajv.errorsText(validate.errors)}: ${about}`)
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, multipleOfPrecision: 8 })
formats.default(ajv)
// The only form in which Mint answers with a time.
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const validators = new WeakMap<object, ValidateFunction>()

/** A schema of the document, compiled on first use. */
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const made = ajv.compile(closed({ components: openApi.components, ...schema }))
  validators.set(schema, made)
  return made
}

/** The document lets later versions add fields to answers; this version must not answer with any that it doesn't describe. */
function closed<Schema extends object>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_name, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  )
}

/** Whether a named schema of the document accepts a value. */
export function acceptedByDocument(name: string, value: unknown): boolean {
  return validatorOf(openApi.components.schemas[name])(value) === true
}
