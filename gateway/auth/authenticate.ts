import { ProblemError } from '../problem.ts'
import type { ApiKeys, Caller } from './api-keys.ts'
import type { RecentSecrets } from './recent-secrets.ts'
import type { Scope } from './scopes.ts'
import { hashSecret } from './secret.ts'

export interface Authentication {
  readonly apiKeys: Pick<ApiKeys, 'known' | 'find'>
  readonly recentSecrets: RecentSecrets
}

/**
 * Whose request it is: at once where the key is known, as nearly always.
 * Throws missing_api_key; invalid_api_key whatever is wrong with the key, and after the same work: any text is hashed
 * and looked for, and neither form nor checksum is looked at first. Throws StoreUnavailable where a key that isn't
 * known may be good.
 */
export function authenticate(
  authorization: string | undefined = '',
  { apiKeys, recentSecrets }: Authentication,
): Caller | Promise<Caller> {
  const recent = recentSecrets.sha256Of(authorization)
  const caller = recent === undefined ? undefined : apiKeys.known(recent)
  return caller ?? authenticateAnew(authorization, { apiKeys, recentSecrets })
}

/** Whose request it is as far as memory tells: never the first word on a key, for the log may know it already. */
export function knownCaller(
  authorization: string | undefined = '',
  { apiKeys, recentSecrets }: Authentication,
): Caller | undefined {
  const secret = BEARER.exec(authorization)?.[1]
  if (secret === undefined) return undefined
  return apiKeys.known(recentSecrets.sha256Of(authorization) ?? hashSecret(secret))
}

async function authenticateAnew(authorization: string, { apiKeys, recentSecrets }: Authentication): Promise<Caller> {
  const secret = BEARER.exec(authorization)?.[1]
  if (secret === undefined) throw new ProblemError('missing_api_key')
  const sha256 = hashSecret(secret)
  const caller = apiKeys.known(sha256) ?? (await apiKeys.find(sha256))
  if (caller === undefined) {
    recentSecrets.forget(authorization)
    throw new ProblemError('invalid_api_key')
  }
  recentSecrets.remember(authorization, sha256)
  return caller
}

/** Throws insufficient_scope unless the key has the scope. */
export function requireScope(key: Caller, scope: Scope): void {
  if (key.scopes.includes(scope)) return
  throw new ProblemError('insufficient_scope', {
    detail: `This API key lacks the scope ${scope}. Use a key that has it.`,
  })
}

const BEARER = /^Bearer +(\S.*)$/i
