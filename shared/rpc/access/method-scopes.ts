import type { Scope } from '../../api-keys/scopes.ts'
import { type Guarded, onlyReads, SERVICES } from '../../kinds/services.ts'

type Guardeds = { [Part in keyof typeof SERVICES]: (typeof SERVICES)[Part][keyof (typeof SERVICES)[Part]] }
type Definition = Guardeds[keyof Guardeds]['definition']

/** The path of a method that callers with an API key may call. */
export type MethodPath = PathOf<Definition>

type PathOf<Definition> = Definition extends unknown
  ? Definition[keyof Definition] extends { readonly path: infer Path }
    ? Path & string
    : never
  : never

/** The scope that an API key needs for each method, as in REST. All other methods are for Mint's own processes. */
export const METHOD_SCOPES: Readonly<Record<MethodPath, Scope>> = scopesOf(
  Object.values(SERVICES).flatMap((services): readonly Guarded[] => Object.values(services)),
)

function scopesOf(services: readonly Guarded[]): Readonly<Record<MethodPath, Scope>> {
  const scopes = services.flatMap(({ definition, read, write }) =>
    Object.entries(definition).map(([name, { path }]) => [path, onlyReads(name) ? read : write]),
  )
  return Object.fromEntries(scopes)
}
