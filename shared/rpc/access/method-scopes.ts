import type { Scope } from '../../api-keys/scopes.ts'
import { type Guarded, SERVICES } from '../../kinds/services.ts'
import { isRead, isTrial } from '../method-kinds.ts'

/** The scope that an API key needs for each method, by its path. All other methods are for Mint's own processes. */
export const METHOD_SCOPES: Readonly<Record<string, Scope>> = Object.fromEntries(
  Object.values(SERVICES).flatMap((services) => Object.values<Guarded>(services).flatMap(scopesOf)),
)

function scopesOf({ definition, read, write }: Guarded): (readonly [path: string, scope: Scope])[] {
  return Object.values(definition).map(({ path }) => [path, isRead(path) && !isTrial(path) ? read : write])
}
