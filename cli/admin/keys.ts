import { apiKeyRecord } from '../../gateway/records/api-key-record.ts'
import {
  type ApiKeyAdministration,
  type ApiKeyDetails,
  createApiKeyAdministration,
  type NewApiKey,
  REFUSALS,
} from '../../shared/api-keys/administration.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import { CommandFailure } from '../exit.ts'
import { cliContext, type Parts } from './parts.ts'

/** How many keys are read at a time. */
const STEP = 100

/** A key as it is printed: as over REST, with the secret only when it was just created, and never again. */
export type ListedKey = ReturnType<typeof apiKeyRecord> & { readonly key?: string }

/** Every key, newest first, including revoked and expired ones. */
export async function* listKeys(parts: Parts, _input: object): AsyncGenerator<ListedKey> {
  for await (const apiKey of allKeys(administrationOf(parts))) yield apiKeyRecord(apiKey)
}

/** Creates a key; the item has its secret, this once. */
export async function* createKey(parts: Parts, input: NewApiKey): AsyncGenerator<ListedKey> {
  yield issued(await administrationOf(parts).create(input, cliContext()))
}

/** Gives a key a new secret; the item has it, this once. Earlier secrets stay valid for `graceSeconds`. */
export async function* rotateKey(
  parts: Parts,
  { idOrName, graceSeconds }: { readonly idOrName: string; readonly graceSeconds: number },
): AsyncGenerator<ListedKey> {
  const administration = administrationOf(parts)
  const id = await idOfKey(administration, idOrName)
  yield issued(await administration.rotate({ id, graceSeconds }, cliContext()))
}

/** Revokes a key permanently. */
export async function* revokeKey(parts: Parts, { idOrName }: { readonly idOrName: string }): AsyncGenerator<ListedKey> {
  const administration = administrationOf(parts)
  const outcome = await administration.revoke(await idOfKey(administration, idOrName), cliContext())
  if (outcome.type === 'refused') throw new CommandFailure(REFUSALS[outcome.refusal])
  yield apiKeyRecord(outcome.apiKey)
}

/** What manages the keys of these parts. */
export const administrationOf = ({ gateway }: Parts): ApiKeyAdministration =>
  createApiKeyAdministration({ database: gateway, clock: Date.now, newId: newUuid })

function issued(outcome: Awaited<ReturnType<ApiKeyAdministration['create']>>): ListedKey {
  if (outcome.type === 'refused') throw new CommandFailure(REFUSALS[outcome.refusal])
  return { ...apiKeyRecord(outcome.apiKey), key: outcome.secret }
}

async function* allKeys(administration: ApiKeyAdministration): AsyncGenerator<ApiKeyDetails> {
  for (let offset = 0; ; offset += STEP) {
    const { apiKeys } = await administration.list({ limit: STEP, offset })
    yield* apiKeys
    if (apiKeys.length < STEP) return
  }
}

/**
 * Finds a key by id or name; revoked ones don't count beside others of the name. Throws CommandFailure unless one is
 * left.
 */
export async function idOfKey(administration: ApiKeyAdministration, idOrName: string): Promise<string> {
  const byId = await administration.find(idOrName.toLowerCase())
  if (byId) return byId.id
  const named: ApiKeyDetails[] = []
  for await (const key of allKeys(administration)) if (key.name === idOrName) named.push(key)
  const inForce = named.filter(({ revokedAt }) => revokedAt === null)
  const [first, ...more] = inForce.length > 0 ? inForce : named
  if (!first)
    throw new CommandFailure(`There is no API key with the id or name ${idOrName}: see \`cli/mint keys list\`.`)
  if (more.length === 0) return first.id
  const ids = [first, ...more].map(({ id, createdAt }) => `  ${id}  created ${formatTimestamp(createdAt)}`)
  throw new CommandFailure(`Several API keys are named ${idOrName}: use the id of one.\n${ids.join('\n')}`)
}
