import { lackOf, type NeededScope } from '../shared/api-keys/scopes.ts'
import type { ApiKeys, Caller } from '../shared/api-keys/serving/api-keys.ts'
import { findCaller } from '../shared/api-keys/serving/find-caller.ts'
import { ProblemError } from './problem.ts'

/** Identifies the caller. Throws missing_api_key, invalid_api_key or StoreUnavailable; see findCaller. */
export async function authenticate(
  authorization: string | undefined,
  apiKeys: Pick<ApiKeys, 'known' | 'find'>,
): Promise<Caller> {
  const caller = await findCaller(authorization, apiKeys)
  if (typeof caller === 'string') throw new ProblemError(caller)
  return caller
}

/** Throws insufficient_scope unless the key has the scope, if one is needed. */
export function requireScope(key: Caller, scope: NeededScope | undefined): void {
  const detail = scope === undefined ? undefined : lackOf(key.scopes, scope)
  if (detail !== undefined) throw new ProblemError('insufficient_scope', { detail })
}
