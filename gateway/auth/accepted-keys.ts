import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import type { ApiKeys, Caller } from './api-keys.ts'
import type { ConfiguredApiKey } from './configured-key.ts'

/**
 * The configured key, and the stored ones as soon as they are open (undefined until then). The configured one is valid
 * whatever the store says and even without it, with all its scopes; where it is a stored key too, it goes by that
 * one's id, so that what the key did before it was configured stays its own.
 */
export function acceptedKeys(configured: ConfiguredApiKey | undefined, stored: () => ApiKeys | undefined): ApiKeys {
  const granted = new Map<string, Caller>()
  if (configured) {
    const { sha256, ...caller } = configured
    granted.set(sha256, caller)
  }

  function known(sha256: string): Caller | undefined {
    const same = stored()?.known(sha256)
    const grant = granted.get(sha256)
    return grant && same ? { ...same, scopes: grant.scopes } : (grant ?? same)
  }

  return {
    known,
    async find(sha256) {
      const already = known(sha256)
      if (already !== undefined) return already
      const keys = stored()
      if (keys === undefined) throw new StoreUnavailable('the API keys are not open yet')
      return await keys.find(sha256)
    },
  }
}
