import type { ConfiguredApiKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import type { StoredApiKeys } from '../../shared/api-keys/serving/api-keys.ts'

/** Fixed keys for a gateway without a key store. */
export function staticApiKeys(keys: readonly ConfiguredApiKey[]): StoredApiKeys {
  const byHash = new Map(keys.map(({ sha256, ...caller }) => [sha256, caller]))
  const known = (sha256: string) => byHash.get(sha256)
  const nameOf = async (id: string) => keys.find((key) => key.id === id)?.name ?? null
  return { known, find: async (sha256) => known(sha256), holder: known, nameOf }
}
