import type { Scope } from '../shared/api-keys/scopes.ts'
import { hashSecret } from '../shared/api-keys/secret.ts'
import type { ApiKeys, Caller } from '../shared/api-keys/serving/api-keys.ts'
import { ProblemError } from './problem.ts'

/**
 * Whose request it is. Throws missing_api_key; invalid_api_key whatever is wrong with the key, and after the same work;
 * StoreUnavailable where a key that isn’t known may be good.
 */
export async function authenticate(
  authorization: string | undefined,
  apiKeys: Pick<ApiKeys, 'known' | 'find'>,
): Promise<Caller> {
  const sha256 = sha256Of(authorization)
  if (sha256 === undefined) throw new ProblemError('missing_api_key')
  const caller = apiKeys.known(sha256) ?? (await apiKeys.find(sha256))
  if (caller === undefined) throw new ProblemError('invalid_api_key')
  return caller
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

/** Throws insufficient_scope unless the key has the scope. */
export function requireScope(key: Caller, scope: Scope): void {
  if (key.scopes.includes(scope)) return
  throw new ProblemError('insufficient_scope', {
    detail: `This API key lacks the scope ${scope}. Use a key that has it.`,
  })
}

const BEARER = /^Bearer +(\S.*)$/i
