import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { ApiKeys, Caller, StoredApiKeys } from './api-keys.ts'
import type { ConfiguredApiKey } from './configured-key.ts'

/**
 * The configured key, which is valid whatever the store says, and the stored ones once they are open. Where the
 * configured one is or was a stored key’s, it goes by that one’s id, so that what it did stays its own.
 */
export function acceptedKeys(
  configured: ConfiguredApiKey | undefined,
  stored: () => StoredApiKeys | undefined,
): ApiKeys {
  const granted = new Map<string, Caller>()
  if (configured) {
    const { sha256, ...caller } = configured
    granted.set(sha256, caller)
  }

  function known(sha256: string): Caller | undefined {
    const grant = granted.get(sha256)
    if (grant === undefined) return stored()?.known(sha256)
    const holder = stored()?.holder(sha256)
    return holder === undefined ? grant : { ...holder, scopes: grant.scopes }
  }

  function opened(): StoredApiKeys {
    const keys = stored()
    if (keys === undefined) throw new StoreUnavailable('the API keys are not open yet')
    return keys
  }

  return {
    known,
    find: async (sha256) => known(sha256) ?? (await opened().find(sha256)),
    nameOf: async (id) => (id === configured?.id ? configured.name : await opened().nameOf(id)),
  }
}
