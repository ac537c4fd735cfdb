import { hashSecret } from '../secret.ts'
import type { ApiKeys, Caller } from './api-keys.ts'

/**
 * The caller of a request by `Bearer mint_…`, or why it is refused: the same whatever is wrong with a key, and after the
 * same work. `onUnknown` is awaited before anything but memory is asked. Throws what it throws, and StoreUnavailable where
 * a key that isn’t known may be good.
 */
export async function findCaller(
  authorization: string | undefined,
  apiKeys: Pick<ApiKeys, 'known' | 'find'>,
  onUnknown: () => Promise<void> = async () => {},
): Promise<Caller | 'missing_api_key' | 'invalid_api_key'> {
  const sha256 = sha256Of(authorization)
  const known = sha256 === undefined ? undefined : apiKeys.known(sha256)
  if (known !== undefined) return known
  await onUnknown()
  return sha256 === undefined ? 'missing_api_key' : ((await apiKeys.find(sha256)) ?? 'invalid_api_key')
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
