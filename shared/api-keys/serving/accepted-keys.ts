import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { ApiKeys, Caller, StoredApiKeys } from './api-keys.ts'
import type { ConfiguredApiKey } from './configured-key.ts'

/**
 * The configured key, which is valid whatever the store says, and the stored ones once they are open. If the configured
 * secret is or was a stored key's, the caller gets that key's id, so that past events still belong to it.
 */
export function acceptedKeys(
  configured: () => ConfiguredApiKey | undefined,
  stored: () => StoredApiKeys | undefined,
): ApiKeys {
  let granted: { readonly key: ConfiguredApiKey; readonly caller: Caller } | undefined

  function grantedBy(key: ConfiguredApiKey): Caller {
    const { id, name, scopes } = key
    if (granted?.key !== key) granted = { key, caller: { id, name, scopes } }
    return granted.caller
  }

  function known(sha256: string): Caller | undefined {
    const key = configured()
    if (key?.sha256 !== sha256) return stored()?.known(sha256)
    const holder = stored()?.holder(sha256)
    return holder === undefined ? grantedBy(key) : { ...holder, scopes: key.scopes }
  }

  function opened(): StoredApiKeys {
    const keys = stored()
    if (keys === undefined) throw new StoreUnavailable('the API keys are not open yet')
    return keys
  }

  return {
    known,
    find: async (sha256) => known(sha256) ?? (await opened().find(sha256)),
    async nameOf(id) {
      const key = configured()
      return id === key?.id ? key.name : await opened().nameOf(id)
    },
  }
}
