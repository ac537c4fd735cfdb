import type { ExactNumber, Json } from './json.ts'

/** A JSON Schema of the OpenAPI document: the parts that the console reads. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly string[]
  /** Of currencies: how many decimals amounts have, in those where it isn't two. */
  readonly 'x-enumDecimals'?: Readonly<Record<string, ExactNumber>>
  readonly const?: string
  readonly anyOf?: readonly Schema[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: ExactNumber
}

/** A parameter of a path, with its description in the schema. */
interface Parameter {
  readonly name: string
  readonly schema: Schema
}

/** Reads a parsed OpenAPI document. */
export function readDocument(json: Json) {
  const resolved = (schema: Json): Json =>
    typeof schema?.$ref === 'string' ? json.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
  const withItems = (properties: Json = {}): Json =>
    Object.fromEntries(
      Object.entries<Json>(properties).map(([name, one]) => [name, { ...one, items: resolved(one.items) }]),
    )
  const operationOf = (path: string, method: string): Json => json.paths[path]?.[method.toLowerCase()]
  return {
    /** A schema of its components; throws for an unknown name. */
    schema(name: string): Schema {
      const schema = json.components.schemas[name]
      if (schema === undefined) throw new Error(`openapi.json has no schema ${name}`)
      return { ...schema, properties: withItems(schema.properties) }
    },
    /** What a GET of a path takes in its query: `/contracts`. */
    queryOf(path: string): readonly Parameter[] {
      const parameters: Json[] = operationOf(path, 'GET')?.parameters ?? []
      return parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema, description }) => ({ name, schema: { description, ...resolved(schema) } }))
    },
    /** The scopes of which a key needs one; none: any key will do. undefined: there is no such call. */
    scopesOf: (path: string, method: string): readonly string[] | undefined =>
      operationOf(path, method)?.security.flatMap(({ apiKey = [] }: Json) => apiKey),
  }
}

/** What the OpenAPI document says about records and paths. */
export type ApiDocument = ReturnType<typeof readDocument>
