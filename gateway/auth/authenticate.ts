import { ProblemError } from '../problem.ts'
import type { ApiKeys, Caller } from './api-keys.ts'
import type { Scope } from './scopes.ts'
import { hashSecret, isSecretForm } from './secret.ts'

/** Whose request it is. Throws missing_api_key, or invalid_api_key whatever the reason. */
export async function authenticate(authorization: string | undefined, apiKeys: ApiKeys): Promise<Caller> {
  const secret = BEARER.exec(authorization ?? '')?.[1]
  if (secret === undefined) throw new ProblemError('missing_api_key')
  const key = isSecretForm(secret) ? await apiKeys.find(hashSecret(secret)) : undefined
  if (!key) throw new ProblemError('invalid_api_key')
  return key
}

/** Throws insufficient_scope unless the key has the scope. */
export function requireScope(key: Caller, scope: Scope): void {
  if (key.scopes.includes(scope)) return
  throw new ProblemError('insufficient_scope', {
    detail: `This API key lacks the scope ${scope}. Use a key that has it.`,
  })
}

const BEARER = /^Bearer +(\S.*)$/i
