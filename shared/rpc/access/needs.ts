import type { NeededScope } from '../../api-keys/scopes.ts'
import { type Guarded, SERVICES } from '../../kinds/services.ts'
import { isCheck, isRead } from '../method-kinds.ts'

/** What a method requires of its caller. */
export type Need = 'nothing' | 'any-key' | 'own-process' | NeededScope

export function needOf(path: string): Need {
  if (path.startsWith('/grpc.health.')) return 'nothing'
  if (path.startsWith(REFLECTION)) return 'any-key'
  return METHOD_NEEDS[path] ?? 'own-process'
}

export const REFLECTION = '/grpc.reflection.'

/** What an API key needs for each method, by its path. All other methods are for Mint's own processes. */
export const METHOD_NEEDS: Readonly<Record<string, NeededScope | 'any-key'>> = Object.fromEntries(
  Object.values(SERVICES).flatMap((services) => Object.values<Guarded>(services).flatMap(needsOf)),
)

function needsOf(guarded: Guarded): (readonly [path: string, NeededScope | 'any-key'])[] {
  const { definition, read, write, open = [], others = {} } = guarded
  return Object.entries(definition).map(([name, { path }]) => {
    if (open.includes(name)) return [path, 'any-key']
    return [path, others[name] ?? (isRead(path) && !isCheck(path) ? read : write)]
  })
}

/** Why a key is refused where one of those is needed, as for a method that doesn't exist. */
export const OWN_PROCESSES_ALONE =
  'No API key may call a method of this name: check it against the .proto files. Mint’s own processes may, with their common SERVICE_SECRET, or without one, a client certificate.'
