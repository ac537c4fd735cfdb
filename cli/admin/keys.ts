import {
  type ApiKeyAdministration,
  createApiKeyAdministration,
  REFUSALS,
} from '../../gateway/api-keys/administration.ts'
import type { NewApiKey } from '../../gateway/api-keys/commands.ts'
import type { ApiKeyDetails } from '../../gateway/api-keys/details.ts'
import { type CommandContext, toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { newRequestId, newUuid } from '../../shared/ids.ts'
import { CommandFailure } from '../exit.ts'
import { allKeys, idOfKey } from './named-key.ts'
import type { Parts } from './parts.ts'

/** The `by` of what is done from the command line. */
const ACTOR = 'cli'

/** A key as people and machines see it; times in RFC 3339. */
export interface ListedKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
  /** The secret: only where it was just made, and never again. */
  readonly key?: string
}

/** Every key, newest first, those that are not good any more included. */
export async function* listKeys(parts: Parts, _input: object): AsyncGenerator<ListedKey> {
  for await (const apiKey of allKeys(administrationOf(parts))) yield toListed(apiKey)
}

/** Makes a key; its secret is in the item, this once. */
export async function* createKey(parts: Parts, input: NewApiKey): AsyncGenerator<ListedKey> {
  yield issued(await administrationOf(parts).create(input, context()))
}

export interface RevokeInput {
  readonly idOrName: string
}

export interface RotateInput extends RevokeInput {
  /** How long the secrets before the new one work on. */
  readonly graceSeconds: number
}

/** Gives a key a new secret, which is in the item this once. */
export async function* rotateKey(parts: Parts, { idOrName, graceSeconds }: RotateInput): AsyncGenerator<ListedKey> {
  const administration = administrationOf(parts)
  const id = await idOfKey(administration, idOrName)
  yield issued(await administration.rotate({ id, graceSeconds }, context()))
}

/** Ends a key for good. */
export async function* revokeKey(parts: Parts, { idOrName }: RevokeInput): AsyncGenerator<ListedKey> {
  const administration = administrationOf(parts)
  const outcome = await administration.revoke(await idOfKey(administration, idOrName), context())
  if (outcome.type === 'refused') throw new CommandFailure(REFUSALS[outcome.refusal])
  yield toListed(outcome.apiKey)
}

const administrationOf = ({ gateway }: Parts): ApiKeyAdministration =>
  createApiKeyAdministration({ database: gateway, clock: Date.now, newId: newUuid })

const context = (): CommandContext => toCommandContext({ actor: ACTOR, requestId: newRequestId() })

function issued(outcome: Awaited<ReturnType<ApiKeyAdministration['create']>>): ListedKey {
  if (outcome.type === 'refused') throw new CommandFailure(REFUSALS[outcome.refusal])
  return { ...toListed(outcome.apiKey), key: outcome.secret }
}

function toListed({ createdAt, expiresAt, lastUsedAt, revokedAt, ...rest }: ApiKeyDetails): ListedKey {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: time(expiresAt),
    lastUsedAt: time(lastUsedAt),
    revokedAt: time(revokedAt),
  }
}
