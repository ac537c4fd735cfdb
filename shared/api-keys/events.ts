import type { Scope } from './scopes.ts'

/** A key was made. Of its secret there is only the SHA-256, in hexadecimal, here and in every other event. */
export interface ApiKeyCreated {
  readonly type: 'ApiKeyCreated.v1'
  readonly data: {
    /** UUID, lower case. */
    readonly id: string
    readonly name: string
    readonly scopes: readonly Scope[]
    readonly sha256: string
    /** From when on it is refused, in milliseconds since the epoch; null: never. */
    readonly expiresAt: number | null
  }
}

/** A key got a new secret. */
export interface ApiKeyRotated {
  readonly type: 'ApiKeyRotated.v1'
  readonly data: {
    /** Of the new secret. */
    readonly sha256: string
    /** Until when the secrets before it work at the longest, in milliseconds since the epoch. */
    readonly previousUntil: number
  }
}

/** A key was ended for good, with all its secrets. */
export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked.v1'
  readonly data: Readonly<Record<string, never>>
}

export type ApiKeyEvent = ApiKeyCreated | ApiKeyRotated | ApiKeyRevoked
