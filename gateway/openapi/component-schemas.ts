import { z } from 'zod'

/** A fragment of the document, ready for JSON.stringify. */
export type Json = Readonly<Record<string, unknown>>

export type ComponentSchemas = ReturnType<typeof collectSchemas>

/** Converts zod schemas to JSON Schemas of one document; those with an id become references to its components. */
export function collectSchemas() {
  const byId = new Map<string, string>()
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema, $defs = {}, ...own } = toJsonSchema(schema, io)
    for (const [id, definition] of Object.entries($defs)) {
      const text = JSON.stringify(definition)
      if ((byId.get(id) ?? text) !== text) throw new Error(`two schemas of the OpenAPI document are named ${id}`)
      byId.set(id, text)
    }
    return referringToComponents(JSON.stringify(own))
  }
  return {
    /** The schema of what a caller may send. */
    ofInput: (schema: z.ZodType) => convert(schema, 'input'),
    /** The schema of what is answered. */
    ofOutput: (schema: z.ZodType) => convert(schema, 'output'),
    /** Every schema with an id that was converted so far, by id. */
    withId: (): Json => Object.fromEntries([...byId].sort().map(([id, text]) => [id, referringToComponents(text)])),
  }
}

/** The JSON Schema of what a rule accepts, or of what it returns. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    // Exact numbers are a custom type, whose metadata describe it in JSON.
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodCustom ? 'any' : 'throw'),
    override: tidy,
  })
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>

/** What zod leaves out or says otherwise than generators of clients understand it. */
const tidy: Override = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minLength === 0) delete jsonSchema.minLength
  // They match the pattern against the UUID or the time that they have made of the text, which fails.
  if (PARSED_FORMATS.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern
  // Without a format, Go clients have a float of 32 bits, and most clients integers of 32.
  if (jsonSchema.type === 'number') jsonSchema.format = 'double'
  if (jsonSchema.type === 'integer' && (jsonSchema.maximum ?? 0) >= 2 ** 31) jsonSchema.format = 'int64'
  // Later versions may add fields to answers, so only requests are closed.
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema.additionalProperties
  // It omits the examples and defaults of a value that has a transform.
  const { examples, default: whenAbsent } = z.globalRegistry.get(zodSchema) ?? {}
  if (Array.isArray(examples)) jsonSchema.examples = examples
  if (whenAbsent !== undefined) jsonSchema.default = whenAbsent as typeof jsonSchema.default
}

const PARSED_FORMATS = ['uuid', 'date', 'date-time']

function referringToComponents(json: string): Json {
  return JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/'))
}
