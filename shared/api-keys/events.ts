import type { Scope } from './scopes.ts'

/** A key was created. All events have secrets only as SHA-256 hashes in hexadecimal. */
export interface ApiKeyCreated {
  readonly type: 'ApiKeyCreated.v1'
  readonly data: {
    /** UUID, lower case. */
    readonly id: string
    readonly name: string
    readonly scopes: readonly Scope[]
    readonly sha256: string
    /** When the key expires, in milliseconds since the epoch; null: never. */
    readonly expiresAt: number | null
    /** The principal, a UUID, of the person who signed in; absent for a program's key, which is its own principal. */
    readonly person?: string
  }
}

/** A key got a new secret. */
export interface ApiKeyRotated {
  readonly type: 'ApiKeyRotated.v1'
  readonly data: {
    /** Hash of the new secret. */
    readonly sha256: string
    /** When all earlier secrets have stopped working, in milliseconds since the epoch. */
    readonly previousUntil: number
  }
}

/** A key was revoked for good, with all its secrets. */
export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked.v1'
  readonly data: Readonly<Record<string, never>>
}

export type ApiKeyEvent = ApiKeyCreated | ApiKeyRotated | ApiKeyRevoked
