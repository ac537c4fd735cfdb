import type { Api } from '../api/client.ts'
import type { ApiDocument } from '../api/document.ts'
import { createLoader } from './loader.ts'
import type { PageEntry } from './page.ts'

/** The key that the console is signed in with. */
interface KnownKey {
  readonly id: string
  readonly kind: 'program' | 'person'
  readonly scopes: readonly string[]
}

/** Loads the console's own key, and says what it may do. `update` is called whenever that changes. */
export function createOwnKey(api: Api, update: () => void) {
  const load = async (signal: AbortSignal): Promise<KnownKey> => (await api.get('api-keys/current', { signal })).body
  const key = createLoader(load, { update })

  /** Whether the key has a scope. If its scopes are unknown, everything is offered, and the API decides. */
  const hasScope = (scope: string): boolean => key.value()?.scopes.includes(scope) ?? true

  /** Whether the key's scopes allow a call. */
  function may(document: ApiDocument, path: string, method: string): boolean {
    const scopes = document.scopesOf(path, method)
    return scopes.length === 0 || scopes.some(hasScope)
  }

  return {
    load: key.load,
    isLoading: key.isLoading,
    /** Whether it has been loaded, or could not be. */
    isSettled: () => key.value() !== undefined || key.problem() !== undefined,
    id: () => key.value()?.id,
    /** Whether it may be a person's, from the identity provider: false only once it is known to be a program's. */
    mayBeOfPerson: () => key.value()?.kind !== 'program',
    hasScope,
    may,
    /** Whether it may make any of the calls that a page is for. */
    mayUse: (document: ApiDocument, { calls }: PageEntry): boolean =>
      calls === undefined || calls.some(([path, method]) => may(document, path, method)),
  }
}
