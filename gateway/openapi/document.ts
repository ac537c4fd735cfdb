import packageJson from '../../package.json' with { type: 'json' }
import { nothing } from '../routes/endpoint.ts'
import type { AnyRoute } from '../routes/public.ts'
import { type ComponentSchemas, collectSchemas, type Json } from './component-schemas.ts'
import type { DocumentedAnswer } from './documented.ts'
import { COUNTED, headerComponents, headerReferences } from './headers.ts'
import { aboutKeys, introduction, TAGS } from './introduction.ts'
import { type Operation, operationsOf, parametersOf } from './operation.ts'
import { problemComponents, problemReferences } from './problems.ts'

/** Generated from the very schemas that parse requests. It takes a tenth of a second, so call it only on demand. */
export function openApiDocument(routes: readonly AnyRoute[]): Json {
  const schemas = collectSchemas()
  const operations = routes.flatMap(operationsOf)
  const paths = pathsOf(operations, schemas)
  const responses = problemComponents(schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Mint',
      version: packageJson.version,
      summary: packageJson.description,
      description: introduction,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: '/', description: 'This Mint.' }],
    tags: tagsOf(operations),
    paths,
    components: {
      schemas: schemas.withId(),
      responses,
      headers: headerComponents,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'mint_<API_KEY>', description: aboutKeys },
      },
    },
  }
}

function pathsOf(operations: readonly Operation[], schemas: ComponentSchemas): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const { pathTemplate, method } = operation
    paths[pathTemplate] = { ...paths[pathTemplate], [method.toLowerCase()]: toJson(operation, schemas) }
  }
  return paths
}

function toJson(operation: Operation, schemas: ComponentSchemas): Json {
  const { operationId, summary, description, needsKey, scope, body, file, answers } = operation
  const parameters = parametersOf(operation, schemas)
  const successes = Object.entries(answers).map(([status, answer]) => [status, toResponse(answer, operation, schemas)])
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tagOf(operation)],
    security: needsKey ? needed(scope) : [],
    ...(parameters.length > 0 && { parameters }),
    // A body without fields is accepted, but of no use to anybody.
    ...(body && body.schema !== nothing && { requestBody: toRequestBody(body, schemas) }),
    ...(file && { requestBody: toFileBody(file, schemas) }),
    responses: { ...problemReferences(operation), ...Object.fromEntries(successes) },
  }
}

/** One alternative for each scope that suffices. */
const needed = (scope: Operation['scope']): Json[] =>
  scope === undefined ? [{ apiKey: [] }] : [scope].flat().map((one) => ({ apiKey: [one] }))

function toRequestBody(
  { schema, computed, optional, mediaTypes }: NonNullable<Operation['body']>,
  schemas: ComponentSchemas,
) {
  // Only the first: of several for one schema, openapi-python-client 0.29.1 makes functions that Python can't import.
  const [mediaType = '', ...others] = mediaTypes
  const sentences = [
    ...(computed.length > 0 ? [`Set by the service, and rejected here: ${computed.join(', ')}.`] : []),
    ...others.map((other) => `Also accepted as ${other}.`),
    ...(optional ? ['May be omitted, or null.'] : []),
  ]
  return {
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    required: !optional,
    content: { [mediaType]: { schema: schemas.ofInput(schema) } },
  }
}

function toFileBody(
  { description, mediaTypes, schema }: NonNullable<Operation['file']>,
  schemas: ComponentSchemas,
): Json {
  const content = { schema: schemas.ofInput(schema) }
  return { description, required: true, content: Object.fromEntries(mediaTypes.map((type) => [type, content])) }
}

function toResponse(answer: DocumentedAnswer, { needsKey }: Operation, schemas: ComponentSchemas): Json {
  const { description, headers = [], schema, mediaType = 'application/json', isAlsoProblem = false } = answer
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return {
    description,
    headers: headerReferences(['X-Request-Id', ...(needsKey ? COUNTED : []), ...headers]),
    ...(schema && {
      content: { [mediaType]: { schema: schemas.ofOutput(schema) }, ...(isAlsoProblem && problem) },
    }),
  }
}

/** `/contracts.csv` and `/contracts/{id}` belong to `contracts`; what has no group of its own, to `service`. */
function tagOf({ pathTemplate }: Operation): string {
  const name = pathTemplate.split(/[/.]/)[1] ?? ''
  return Object.hasOwn(TAGS, name) ? name : 'service'
}

function tagsOf(operations: readonly Operation[]): Json[] {
  const names = [...new Set(operations.map(tagOf))]
  return names.map((name) => ({ name, description: TAGS[name] }))
}
