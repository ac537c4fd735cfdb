/** An API key as the API returns it. */
export interface ApiKey {
  readonly id: string
  /** Created for a program, or for a person who signed in. */
  readonly kind: 'program' | 'person'
  /** Who acts with it: the `by` in the history of records. */
  readonly principal: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

type KeyState = 'active' | 'expired' | 'revoked'

/** Whether a key can be used at a time, and why not. */
export function stateOf({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && new Date(expiresAt) <= now ? 'expired' : 'active'
}
