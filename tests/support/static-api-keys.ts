import type { ApiKeys } from '../../gateway/auth/api-keys.ts'
import type { ConfiguredApiKey } from '../../gateway/auth/configured-key.ts'

/** Keys for a gateway without a store of keys: any number of them, which never change. */
export function staticApiKeys(keys: readonly ConfiguredApiKey[]): ApiKeys {
  const byHash = new Map(keys.map(({ sha256, ...caller }) => [sha256, caller]))
  return { known: (sha256) => byHash.get(sha256), find: async (sha256) => byHash.get(sha256) }
}
