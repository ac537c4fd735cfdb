import type { LatestTimes } from '../../shared/event-sourcing/ports/latest-times.ts'
import type { ListQuery, View } from '../../shared/event-sourcing/ports/view.ts'
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

export interface ApiKeyQueriesParts {
  readonly view: View<ApiKey>
  readonly lastUses: Pick<LatestTimes, 'read'>
}

/** The key of an id, undefined when there is none. Throws StoreUnavailable. */
export async function findApiKey(
  { view, lastUses }: ApiKeyQueriesParts,
  id: string,
): Promise<ApiKeyDetails | undefined> {
  const [row, uses] = await Promise.all([view.get(id), lastUses.read([id])])
  return row && toDetails(row.state, uses)
}

/** Keys, newest first. Throws StoreUnavailable. */
export async function listApiKeys(
  { view, lastUses }: ApiKeyQueriesParts,
  { limit, offset }: Pick<ListQuery, 'limit' | 'offset'>,
): Promise<{ readonly apiKeys: readonly ApiKeyDetails[]; readonly total: number }> {
  const { rows, total } = await view.list({ where: {}, search: '', limit, offset })
  const uses = await lastUses.read(rows.map(({ id }) => id))
  return { apiKeys: rows.map(({ state }) => toDetails(state, uses)), total }
}

/** `uses`: when keys were last used, by id. */
export function toDetails(apiKey: ApiKey, uses: ReadonlyMap<string, number>): ApiKeyDetails {
  const { id, name, scopes, createdAt, expiresAt, revokedAt } = apiKey
  return { id, name, scopes, createdAt, expiresAt, lastUsedAt: uses.get(id) ?? null, revokedAt }
}
