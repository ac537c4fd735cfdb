import { openApiDocument } from '../../gateway/openapi/document.ts'
import { allRoutes } from '../../gateway/routes/all.ts'
import type { RouteDependencies } from '../../gateway/routes/dependencies.ts'

/** A header, schema or answer of the document, or a reference to one. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
type Json = any

/** The operation of one method on one path. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Json>>
}

/** The document that every gateway of this version serves. The routes are only described, never called. */
export const openApi: Json = makeDocument()

function makeDocument(): Json {
  return openApiDocument(allRoutes({} as RouteDependencies))
}

/** Resolves a value that may be a reference to another place in the document. */
export function dereferenced(value: Json): Json {
  if (value?.$ref === undefined) return value
  const names: string[] = value.$ref.slice(2).split('/')
  return names.reduce((inner, name) => inner[name.replaceAll('~1', '/').replaceAll('~0', '~')], openApi)
}

/** The methods of the path that a request target matches, by lower-case name; undefined: no such path. */
export function methodsAt(target: string): Readonly<Record<string, DocumentedOperation>> | undefined {
  const path = target.split('?', 1)[0] ?? ''
  return openApi.paths[path] ?? TEMPLATES.find(({ pattern }) => pattern.test(path))?.methods
}

const TEMPLATES = Object.entries(openApi.paths).map(([template, methods]) => ({
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: methods as Readonly<Record<string, DocumentedOperation>>,
}))
