import {
  type ApiKeyAdministration,
  createApiKeyAdministration,
  REFUSALS,
} from '../../shared/api-keys/administration.ts'
import type { NewApiKey } from '../../shared/api-keys/commands.ts'
import type { ApiKeyDetails } from '../../shared/api-keys/details.ts'
import { newRequestId, newUuid } from '../../shared/calls/ids.ts'
import { type CommandContext, toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { CommandFailure } from '../exit.ts'
import type { Parts } from './parts.ts'

/** How many keys are read at a time. */
const STEP = 100

/** A key as it is printed; times in RFC 3339. */
export interface ListedKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
  /** The secret, only when it was just created, and never again. */
  readonly key?: string
}

/** Every key, newest first, including revoked and expired ones. */
export async function* listKeys(parts: Parts, _input: object): AsyncGenerator<ListedKey> {
  for await (const apiKey of allKeys(administrationOf(parts))) yield toListed(apiKey)
}

/** Creates a key; the item has its secret, this once. */
export async function* createKey(parts: Parts, input: NewApiKey): AsyncGenerator<ListedKey> {
  yield toListed(...issued(await administrationOf(parts).create(input, context())))
}

interface RotateInput {
  readonly idOrName: string
  /** How long earlier secrets stay valid. */
  readonly graceSeconds: number
}

/** Gives a key a new secret; the item has it, this once. */
export async function* rotateKey(parts: Parts, { idOrName, graceSeconds }: RotateInput): AsyncGenerator<ListedKey> {
  const administration = administrationOf(parts)
  const id = await idOfKey(administration, idOrName)
  yield toListed(...issued(await administration.rotate({ id, graceSeconds }, context())))
}

/** Revokes a key permanently. */
export async function* revokeKey(parts: Parts, { idOrName }: { readonly idOrName: string }): AsyncGenerator<ListedKey> {
  const administration = administrationOf(parts)
  const outcome = await administration.revoke(await idOfKey(administration, idOrName), context())
  if (outcome.type === 'refused') throw new CommandFailure(REFUSALS[outcome.refusal])
  yield toListed(outcome.apiKey)
}

/** What manages the keys of these parts. */
export const administrationOf = ({ gateway }: Parts): ApiKeyAdministration =>
  createApiKeyAdministration({ database: gateway, clock: Date.now, newId: newUuid })

const context = (): CommandContext => toCommandContext({ actor: 'cli', requestId: newRequestId() })

function issued(outcome: Awaited<ReturnType<ApiKeyAdministration['create']>>): [ApiKeyDetails, string] {
  if (outcome.type === 'refused') throw new CommandFailure(REFUSALS[outcome.refusal])
  return [outcome.apiKey, outcome.secret]
}

function toListed({ createdAt, expiresAt, lastUsedAt, revokedAt, ...rest }: ApiKeyDetails, key?: string): ListedKey {
  const orNull = (at: number | null): string | null => (at === null ? null : rfc3339(at))
  const times = { expiresAt: orNull(expiresAt), lastUsedAt: orNull(lastUsedAt), revokedAt: orNull(revokedAt) }
  return { ...rest, createdAt: rfc3339(createdAt), ...times, ...(key !== undefined && { key }) }
}

const rfc3339 = (at: number): string => new Date(at).toISOString()

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
  const ids = [first, ...more].map(({ id, createdAt }) => `  ${id}  created ${rfc3339(createdAt)}`)
  throw new CommandFailure(`Several API keys are named ${idOrName}: use the id of one.\n${ids.join('\n')}`)
}
