import {
  type ApiKeyAdministration,
  type ApiKeyDetails,
  createApiKeyAdministration,
} from '../../shared/api-keys/administration.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import { CommandFailure } from '../exit.ts'
import type { Parts } from './parts.ts'

/** How many keys are read at a time. */
const PAGE_SIZE = 100

/** The administration of these parts' keys. */
export const administrationOf = ({ gateway }: Pick<Parts, 'gateway'>): ApiKeyAdministration =>
  createApiKeyAdministration({ database: gateway, clock: Date.now })

async function* allKeys(administration: ApiKeyAdministration): AsyncGenerator<ApiKeyDetails> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { apiKeys } = await administration.list({ limit: PAGE_SIZE, offset })
    yield* apiKeys
    if (apiKeys.length < PAGE_SIZE) return
  }
}

/**
 * Finds a key by id or name; those that have ended are ignored if another key has their name, as each sign-in of a person
 * leaves one. Throws CommandFailure if none or several match.
 */
export async function idOfKey(administration: ApiKeyAdministration, idOrName: string): Promise<string> {
  const named: ApiKeyDetails[] = []
  for await (const key of allKeys(administration)) {
    if (key.id === idOrName.toLowerCase()) return key.id
    if (key.name === idOrName) named.push(key)
  }
  const now = Date.now()
  const inForce = named.filter(({ revokedAt, expiresAt }) => revokedAt === null && now < (expiresAt ?? Infinity))
  const [first, ...more] = inForce.length > 0 ? inForce : named
  if (!first)
    throw new CommandFailure(`There is no API key with the id or name ${idOrName}: see \`cli/mint keys list\`.`)
  if (more.length === 0) return first.id
  const ids = [first, ...more].map(({ id, createdAt }) => `  ${id}  created ${formatTimestamp(createdAt)}`)
  throw new CommandFailure(`Several API keys are named ${idOrName}: use the id of one.\n${ids.join('\n')}`)
}
