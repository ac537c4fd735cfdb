import { StoreUnavailable } from '../../shared/event-sourcing/event-store.ts'
import type { ApiKeys, Caller } from './api-keys.ts'
import type { StoredApiKey } from './static-api-keys.ts'

/** The keys in the gateway's database. */
interface KnownKeys extends ApiKeys {
  /** As `find`, by what is in memory alone. */
  known(sha256: string): Caller | undefined
}

/**
 * The configured key, and the stored ones as soon as they are open (undefined until then). The configured one is valid
 * whatever the store says and even without it, with all its scopes; where it is a stored key too, it goes by that
 * one's id, so that what the key did before it was configured stays its own.
 */
export function acceptedKeys(configured: StoredApiKey | undefined, stored: () => KnownKeys | undefined): ApiKeys {
  const granted = new Map(configured ? [[configured.sha256, configured]] : [])
  return {
    async find(sha256) {
      const keys = stored()
      const grant = granted.get(sha256)
      if (grant !== undefined) return { ...(keys?.known(sha256) ?? grant), scopes: grant.scopes }
      if (keys === undefined) throw new StoreUnavailable('the API keys are not open yet')
      return await keys.find(sha256)
    },
  }
}
