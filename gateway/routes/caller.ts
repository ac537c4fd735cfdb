import type { IncomingMessage } from 'node:http'
import { missingScopeMessage, type NeededScope } from '../../shared/api-keys/scopes.ts'
import type { ApiKeys, Caller } from '../../shared/api-keys/serving/api-keys.ts'
import { findCaller, knownCaller } from '../../shared/api-keys/serving/find-caller.ts'
import { addressOf } from '../http/client-address.ts'
import { malformedHeader } from '../http/entity-tags.ts'
import { countHeader, type Exchange } from '../http/exchange.ts'
import { COUNTED } from '../openapi/headers.ts'
import { ProblemError } from '../problem.ts'

interface Known {
  readonly apiKeys: Pick<ApiKeys, 'known' | 'find'>
}

/**
 * The caller, by key; no promise if the key is in memory, as it usually is. Throws what authenticate throws, and
 * validation_failed for two Authorization headers.
 */
export function callerOf({ rawHeaders }: IncomingMessage, { secretHash }: Exchange, { apiKeys }: Known) {
  // A proxy may have checked the other one.
  if (countHeader(rawHeaders, 'authorization') > 1) {
    throw new ProblemError('validation_failed', { errors: [malformedHeader('Authorization', 'Give it once.')] })
  }
  return knownCaller(secretHash, apiKeys) ?? authenticate(secretHash, apiKeys)
}

/** The caller of a request without a key, by address. */
export function keylessCaller(req: IncomingMessage): Caller {
  const address = addressOf(req)
  return { id: address, kind: 'program', principal: address, name: '', scopes: [] }
}

/** After a wait, in which the key may have been revoked: then the refusal is that of a new request. */
export async function authenticateAgain(exchange: Exchange, { apiKeys }: Known) {
  try {
    await authenticate(exchange.secretHash, apiKeys)
  } catch (error) {
    if (error instanceof ProblemError) for (const name of COUNTED) Reflect.deleteProperty(exchange.headers, name)
    throw error
  }
}

/** Identifies the caller. Throws missing_api_key, invalid_api_key or StoreUnavailable; see findCaller. */
export async function authenticate(secretHash: string | undefined, apiKeys: Known['apiKeys']): Promise<Caller> {
  const caller = await findCaller(secretHash, apiKeys)
  if (typeof caller === 'string') throw new ProblemError(caller)
  return caller
}

/** Throws insufficient_scope unless the key has the scope, if one is needed. */
export function requireScope(key: Caller, scope: NeededScope | undefined): void {
  const detail = scope === undefined ? undefined : missingScopeMessage(key.scopes, scope)
  if (detail !== undefined) throw new ProblemError('insufficient_scope', { detail })
}
