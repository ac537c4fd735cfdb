import type { ApiKey } from './evolve.ts'

/** A key as administrators see it, without its secrets; times in milliseconds since the epoch. */
export interface ApiKeyDetails extends Omit<ApiKey, 'secrets'> {
  /** Accurate to a minute; null: never used. */
  readonly lastUsedAt: number | null
}

/** The kind of `latestTimes` in the gateway's database that stores last uses by key id. */
export const LAST_USES = 'api-key-used'

/** `uses`: last uses by key id. */
export function toDetails({ secrets: _, ...apiKey }: ApiKey, uses: ReadonlyMap<string, number>): ApiKeyDetails {
  return { ...apiKey, lastUsedAt: uses.get(apiKey.id) ?? null }
}
