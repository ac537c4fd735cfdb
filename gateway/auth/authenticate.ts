import { ProblemError } from '../problem.ts'
import type { ApiKeys, Caller } from './api-keys.ts'
import type { Scope } from './scopes.ts'
import { hashSecret } from './secret.ts'

/**
 * Whose request it is. Throws missing_api_key; invalid_api_key whatever is wrong with the key, and after the same work:
 * any text is hashed and looked for, and neither form nor checksum is looked at first. Throws StoreUnavailable where a
 * key that isn't known may be good.
 */
export async function authenticate(authorization: string | undefined, apiKeys: ApiKeys): Promise<Caller> {
  const secret = BEARER.exec(authorization ?? '')?.[1]
  if (secret === undefined) throw new ProblemError('missing_api_key')
  const caller = await apiKeys.find(hashSecret(secret))
  if (!caller) throw new ProblemError('invalid_api_key')
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
