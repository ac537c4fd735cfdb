import { v5 } from 'uuid'
import { SCOPES } from '../scopes.ts'
import { hashSecret } from '../secret.ts'
import type { Caller } from './api-keys.ts'

/** A key that no log has, with the SHA-256 of its secret in hexadecimal. */
export interface ConfiguredApiKey extends Caller {
  readonly sha256: string
}

/** The key that was handed in by configuration: all scopes, and an id that follows from its secret alone. */
export function configuredKey(secret: string): ConfiguredApiKey {
  const sha256 = hashSecret(secret)
  return { id: v5(sha256, KEY_NAMESPACE), name: 'configured', scopes: SCOPES, sha256 }
}

/** The same, where one was handed in. */
export const configuredKeyIfAny = (secret: string | undefined): ConfiguredApiKey | undefined =>
  secret === undefined ? undefined : configuredKey(secret)

/** Fixed for ever: another one would change the `by` of every configured key. */
const KEY_NAMESPACE = '6d1b7c1e-0f2a-5c84-9b39-5f1a4a1d2c77'
