import { hashSecret } from '../secret.ts'
import type { ApiKeys, Caller } from './api-keys.ts'

/** The hash of the secret in `Bearer mint_…`; undefined without one. */
export function secretHashOf(authorization = ''): string | undefined {
  const secret = BEARER.exec(authorization)?.[1]
  return secret === undefined ? undefined : hashSecret(secret)
}

const BEARER = /^Bearer +(\S.*)$/i

/**
 * Authenticates a secret by its hash: returns the caller, or why the request is refused. All invalid keys get the same
 * answer after the same work. `onUnknown` is called unless the key is in memory, before anything else is read. Throws
 * what `onUnknown` throws, and StoreUnavailable when an unknown key might be valid.
 */
export async function findCaller(
  secretHash: string | undefined,
  apiKeys: Pick<ApiKeys, 'known' | 'find'>,
  onUnknown: () => void = () => undefined,
): Promise<Caller | 'missing_api_key' | 'invalid_api_key'> {
  const known = knownCaller(secretHash, apiKeys)
  if (known !== undefined) return known
  onUnknown()
  return secretHash === undefined ? 'missing_api_key' : ((await apiKeys.find(secretHash)) ?? 'invalid_api_key')
}

/** The caller if its key is in memory. Never use it to refuse a key, since the log may be newer. */
export function knownCaller(secretHash: string | undefined, apiKeys: Pick<ApiKeys, 'known'>): Caller | undefined {
  return secretHash === undefined ? undefined : apiKeys.known(secretHash)
}
