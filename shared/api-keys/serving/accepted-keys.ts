import { v5, validate, version } from 'uuid'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import { MINT_API_KEY } from '../../runtime/settings/common.ts'
import { followSecret } from '../../runtime/settings/follow-secret.ts'
import type { SecretFiles } from '../../runtime/settings/read-settings.ts'
import type { WatchSurroundings } from '../../runtime/watch-files.ts'
import { SCOPES } from '../scopes.ts'
import { hashSecret } from '../secret.ts'
import type { ApiKeys, Caller, StoredApiKeys } from './api-keys.ts'

/** The key set by configuration, which is not in the log, with the SHA-256 of its secret in hexadecimal. */
export interface ConfiguredApiKey extends Caller {
  readonly sha256: string
}

/** The key from configuration: all scopes, and an id derived from its secret alone. */
export function configuredKey(secret: string): ConfiguredApiKey {
  const sha256 = hashSecret(secret)
  const id = v5(sha256, KEY_NAMESPACE)
  return { id, kind: 'program', principal: id, name: CONFIGURED, scopes: SCOPES, sha256 }
}

/** Returns a function that gives the configured key, if any. If its secret is in a file, changes to the file apply. */
export async function followConfiguredKey(
  { apiKey: value, secretFiles: files }: { readonly apiKey: string | undefined; readonly secretFiles: SecretFiles },
  surroundings: WatchSurroundings,
): Promise<() => ConfiguredApiKey | undefined> {
  const secret = { name: 'MINT_API_KEY', schema: MINT_API_KEY, value, files }
  return await followSecret(secret, surroundings, (one) => (one === undefined ? undefined : configuredKey(one)))
}

const CONFIGURED = 'configured'

/**
 * The name of a principal without a stored key; null: there is no such principal. Configured keys have UUIDs of version 5
 * as ids, and keep their name, which published events contain. So do people, but their keys are stored.
 */
export const nameOfUnstored = (principal: string): string | null =>
  validate(principal) && version(principal) === 5 ? CONFIGURED : null

/** Must never change: it determines the `by` of every configured key. */
const KEY_NAMESPACE = '6d1b7c1e-0f2a-5c84-9b39-5f1a4a1d2c77'

/**
 * The configured key, which is valid regardless of the store, and the stored keys once they are open. If the configured
 * secret is or was a stored key's, the caller gets that key's id, so that past events still belong to it.
 */
export function acceptedKeys(
  configured: () => ConfiguredApiKey | undefined,
  stored: () => StoredApiKeys | undefined,
): ApiKeys {
  function known(sha256: string): Caller | undefined {
    const key = configured()
    if (key?.sha256 !== sha256) return stored()?.known(sha256)
    const { sha256: _, ...granted } = key
    return { ...granted, ...stored()?.holder(sha256), scopes: key.scopes }
  }

  function opened(): StoredApiKeys {
    const keys = stored()
    if (keys === undefined) throw new StoreUnavailable('the API keys are not open yet')
    return keys
  }

  return {
    known,
    find: async (sha256) => known(sha256) ?? (await opened().find(sha256)),
    async nameOf(principal, at) {
      if (principal === configured()?.principal) return CONFIGURED
      return (await opened().nameOf(principal, at)) ?? nameOfUnstored(principal)
    },
  }
}
