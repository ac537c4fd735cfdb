import type { ApiKey } from './evolve.ts'

/** A key as those who look after it see it, without anything of its secrets; times in milliseconds since the epoch. */
export interface ApiKeyDetails extends Omit<ApiKey, 'secrets'> {
  /** Exact to a minute; null: never. */
  readonly lastUsedAt: number | null
}

/** Under which `latestTimes` of the gateway's database the last uses are kept, by the key's id. */
export const LAST_USES = 'api-key-used'

/** `uses`: when keys were last used, by id. */
export function toDetails({ secrets: _, ...apiKey }: ApiKey, uses: ReadonlyMap<string, number>): ApiKeyDetails {
  return { ...apiKey, lastUsedAt: uses.get(apiKey.id) ?? null }
}
