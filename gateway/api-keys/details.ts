import type { Scope } from '../auth/scopes.ts'
import type { ApiKey } from './evolve.ts'

/** A key as those who look after it see it, without anything of its secrets; times in milliseconds since the epoch. */
export interface ApiKeyDetails {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  /** From when on it is refused; null: it doesn't expire. */
  readonly expiresAt: number | null
  /** Exact to a minute; null: never. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

/** Under which `latestTimes` of the gateway's database the last uses are kept, by the key's id. */
export const LAST_USES = 'api-key-used'

/** `uses`: when keys were last used, by id. */
export function toDetails(apiKey: ApiKey, uses: ReadonlyMap<string, number>): ApiKeyDetails {
  const { id, name, scopes, createdAt, expiresAt, revokedAt } = apiKey
  return { id, name, scopes, createdAt, expiresAt, lastUsedAt: uses.get(id) ?? null, revokedAt }
}
