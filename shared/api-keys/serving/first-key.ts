import { newRequestId } from '../../calls/ids.ts'
import { toCommandContext } from '../../event-sourcing/command-context.ts'
import type { ApiKeyAdministration } from '../administration.ts'
import { SCOPES } from '../scopes.ts'

/** Creates a key with all scopes if there has never been a key, and returns its secret; otherwise undefined. */
export async function createFirstKey(administration: ApiKeyAdministration): Promise<string | undefined> {
  const { total } = await administration.list({ limit: 1, offset: 0 })
  if (total > 0) return undefined
  const context = toCommandContext({ actor: 'mint', requestId: newRequestId() })
  const made = await administration.create({ name: 'first', scopes: SCOPES, expiresAt: null }, context)
  return made.type === 'issued' ? made.secret : undefined
}
