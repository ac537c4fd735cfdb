import type { Timed } from '../event-sourcing/event.ts'
import type { ApiKeyEvent, ApiKeyRotated } from './events.ts'
import type { Scope } from './scopes.ts'

/** Keys of programs are created by administrators; people get theirs by signing in. */
export const KEY_KINDS = ['program', 'person'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** A key's current state; times in milliseconds since the epoch. */
export interface ApiKey {
  readonly id: string
  readonly kind: KeyKind
  /** The key's own id for a program; the same UUID for all keys of a person. */
  readonly principal: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The current secret, then earlier ones, most of which no longer work. */
  readonly secrets: readonly HashedSecret[]
  readonly createdAt: number
  /** When the key expires; null: never. */
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** All that is stored of a secret. */
export interface HashedSecret {
  /** In hexadecimal. */
  readonly sha256: string
  /** When the secret stops working; null: together with its key; 0: it has stopped for good. */
  readonly until: number | null
}

/** Applies one event. Throws when an event precedes the creation, which means that the log is damaged. */
export function evolve(apiKey: ApiKey | undefined, event: Timed<ApiKeyEvent>): ApiKey {
  if (event.type === 'ApiKeyCreated.v1') {
    const { sha256, person, ...data } = event.data
    const who = { kind: person === undefined ? 'program' : 'person', principal: person ?? data.id } as const
    return { ...data, ...who, secrets: [{ sha256, until: null }], createdAt: event.at, revokedAt: null }
  }
  if (apiKey === undefined) throw new Error('An API key was changed before it was created.')
  switch (event.type) {
    case 'ApiKeyRotated.v1':
      return { ...apiKey, secrets: rotated(apiKey.secrets, event) }
    case 'ApiKeyRevoked.v1':
      return { ...apiKey, revokedAt: event.at }
  }
}

/** A later rotation never extends an older secret; one without grace ends all of them, whatever the clock says. */
export function rotated(secrets: readonly HashedSecret[], { data, at }: Timed<ApiKeyRotated>): readonly HashedSecret[] {
  const older = secrets.map(({ sha256, until }) => {
    const end = Math.min(until ?? data.previousUntil, data.previousUntil)
    return { sha256, until: end > at ? end : ENDED }
  })
  return [{ sha256: data.sha256, until: null }, ...older]
}

const ENDED = 0
