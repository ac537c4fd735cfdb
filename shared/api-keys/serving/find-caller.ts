import { hashSecret } from '../secret.ts'
import type { ApiKeys, Caller } from './api-keys.ts'

/**
 * Authenticates `Bearer mint_…`: returns the caller, or why the request is refused. All invalid keys get the same answer
 * after the same work. `onUnknown` is called unless the key is in memory, before anything else is read. Throws what
 * `onUnknown` throws, and StoreUnavailable when an unknown key might be valid.
 */
export async function findCaller(
  authorization: string | undefined,
  apiKeys: Pick<ApiKeys, 'known' | 'find'>,
  onUnknown: () => void = () => undefined,
): Promise<Caller | 'missing_api_key' | 'invalid_api_key'> {
  const sha256 = sha256Of(authorization)
  const known = sha256 === undefined ? undefined : apiKeys.known(sha256)
  if (known !== undefined) return known
  onUnknown()
  return sha256 === undefined ? 'missing_api_key' : ((await apiKeys.find(sha256)) ?? 'invalid_api_key')
}

/** The caller if its key is in memory. Never use it to refuse a key, since the log may be newer. */
export function knownCaller(authorization: string | undefined, apiKeys: Pick<ApiKeys, 'known'>): Caller | undefined {
  const sha256 = sha256Of(authorization)
  return sha256 === undefined ? undefined : apiKeys.known(sha256)
}

/** Hash of the secret in the header; undefined without one. */
function sha256Of(authorization = ''): string | undefined {
  const secret = BEARER.exec(authorization)?.[1]
  return secret === undefined ? undefined : hashSecret(secret)
}

const BEARER = /^Bearer +(\S.*)$/i
