/** What a key may be used for; none includes another. */
export const SCOPES = [
  'contracts:read',
  'contracts:write',
  'businesses:read',
  'businesses:write',
  'clients:read',
  'keys:admin',
] as const

export type Scope = (typeof SCOPES)[number]

/** A key as the gateway knows it; its secret is nowhere. */
export interface ApiKey {
  /** UUID; the `by` of every event that is written with the key. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** Where the gateway looks keys up. */
export interface ApiKeys {
  /** The valid key whose secret has this SHA-256 (hexadecimal), or undefined. */
  find(sha256: string): Promise<ApiKey | undefined>
}
