import { hashSecret } from '../secret.ts'
import type { ApiKeys, Caller } from './api-keys.ts'

/**
 * The caller of a request by `Bearer mint_…`, or why it is refused: the same whatever is wrong with a key, and after the
 * same work. Throws StoreUnavailable where a key that isn’t known may be good.
 */
export async function findCaller(
  authorization: string | undefined,
  apiKeys: Pick<ApiKeys, 'known' | 'find'>,
): Promise<Caller | 'missing_api_key' | 'invalid_api_key'> {
  const sha256 = sha256Of(authorization)
  if (sha256 === undefined) return 'missing_api_key'
  return apiKeys.known(sha256) ?? (await apiKeys.find(sha256)) ?? 'invalid_api_key'
}

/** Whose request it is as far as memory tells: never the first word on a key, for the log may know it already. */
export function knownCaller(authorization: string | undefined, apiKeys: Pick<ApiKeys, 'known'>): Caller | undefined {
  const sha256 = sha256Of(authorization)
  return sha256 === undefined ? undefined : apiKeys.known(sha256)
}

/** Of the secret in the header; undefined where there is none. */
function sha256Of(authorization = ''): string | undefined {
  const secret = BEARER.exec(authorization)?.[1]
  return secret === undefined ? undefined : hashSecret(secret)
}

const BEARER = /^Bearer +(\S.*)$/i
