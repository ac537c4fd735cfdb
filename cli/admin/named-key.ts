import type { ApiKeyAdministration } from '../../gateway/api-keys/administration.ts'
import type { ApiKeyDetails } from '../../gateway/api-keys/details.ts'
import { CommandFailure } from '../exit.ts'

/** Keys read in one step. */
const STEP = 100

/** Every key, newest first, those that are not good any more included. */
export async function* allKeys(administration: Pick<ApiKeyAdministration, 'list'>): AsyncGenerator<ApiKeyDetails> {
  for (let offset = 0; ; offset += STEP) {
    const { apiKeys } = await administration.list({ limit: STEP, offset })
    yield* apiKeys
    if (apiKeys.length < STEP) return
  }
}

/**
 * The id of the key that is meant by an id or a name. Of several with one name those that were revoked don't count. Throws
 * CommandFailure when there is none, or when the name could mean several.
 */
export async function idOfKey(
  administration: Pick<ApiKeyAdministration, 'find' | 'list'>,
  idOrName: string,
): Promise<string> {
  const byId = await administration.find(idOrName.toLowerCase())
  if (byId) return byId.id
  const named: ApiKeyDetails[] = []
  for await (const key of allKeys(administration)) if (key.name === idOrName) named.push(key)
  const inForce = named.filter(({ revokedAt }) => revokedAt === null)
  const [first, ...more] = inForce.length > 0 ? inForce : named
  if (!first)
    throw new CommandFailure(`There is no API key with the id or name ${idOrName}: see \`cli/mint keys list\`.`)
  if (more.length === 0) return first.id
  const ids = [first, ...more].map(({ id, createdAt }) => `  ${id}  created ${new Date(createdAt).toISOString()}`)
  throw new CommandFailure(`Several API keys are named ${idOrName}: give the id of one.\n${ids.join('\n')}`)
}
