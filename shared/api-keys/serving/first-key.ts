import { newRequestId } from '../../calls/ids.ts'
import { toCommandContext } from '../../event-sourcing/command-context.ts'
import type { ApiKeyAdministration } from '../administration.ts'
import { SCOPES } from '../scopes.ts'

/** Makes a key with all scopes where there has never been one, and answers its secret; undefined where there has. */
export async function makeFirstKey(administration: ApiKeyAdministration): Promise<string | undefined> {
  const { total } = await administration.list({ limit: 1, offset: 0 })
  if (total > 0) return undefined
  const context = toCommandContext({ actor: 'mint', requestId: newRequestId() })
  const made = await administration.create({ name: 'first', scopes: SCOPES, expiresAt: null }, context)
  return made.type === 'issued' ? made.secret : undefined
}
