import { CodedError } from '../calls/errors.ts'
import { newUuid } from '../calls/ids.ts'
import type { CommandContext } from '../event-sourcing/command-context.ts'
import { createCommandHandler } from '../event-sourcing/command-handler.ts'
import { type CommandOutcome, doneOrThrow, errorOf, type RejectionTable } from '../event-sourcing/outcomes.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { ListQuery } from '../event-sourcing/ports/view.ts'
import { invalidRequest } from '../fields/check.ts'
import type { ViolationCode } from '../fields/rule.ts'
import { type ApiKeyRejection, decide } from './decide.ts'
import type { ApiKeyCreated } from './events.ts'
import { type ApiKey, evolve } from './evolve.ts'
import type { Scope } from './scopes.ts'
import { generateSecret, hashSecret } from './secret.ts'
import { nameOfUnstored } from './serving/accepted-keys.ts'
import { apiKeysView } from './view.ts'

/** A key as administrators see it, without its secrets; times in milliseconds since the epoch. */
export interface ApiKeyDetails extends Omit<ApiKey, 'secrets'> {
  /** Accurate to a minute; null: never used. */
  readonly lastUsedAt: number | null
}

/** The kind of `latestTimes` in the gateway's database that stores last uses by key id. */
export const LAST_USES = 'api-key-used'

/** The properties of a new key. */
export interface NewApiKey extends Pick<ApiKeyCreated['data'], 'person'> {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** In milliseconds since the epoch; null: it doesn't expire. */
  readonly expiresAt: number | null
}

interface Rotation {
  readonly id: string
  /** How long earlier secrets remain valid. */
  readonly graceSeconds: number
}

/** A key with its new secret, which is not stored and only shown once. */
export interface IssuedKey {
  readonly apiKey: ApiKeyDetails
  readonly secret: string
}

const notFound = (message: string) => () => new CodedError('not_found', message)
const EXPIRED = 'This time is in the past. Choose one in the future.'

const REJECTIONS: RejectionTable<ApiKeyRejection> = {
  'not-found': notFound(
    'There is no API key with this id. Check the id. To replace the configured key, change MINT_API_KEY.',
  ),
  revoked: notFound('This API key was revoked for good. Create a new one.'),
  expired: notFound('This API key has expired; a new secret would not change that. Create a new one.'),
  'of-person': notFound(
    'This is the key of a person who signed in: it can be revoked, but only they can get a new one.',
  ),
  'expiry-past': () =>
    invalidRequest([{ pointer: '/expiresAt', code: 'out_of_range' satisfies ViolationCode, message: EXPIRED }]),
}

interface AdministrationOptions {
  /** Opened with `apiKeyViews`. */
  readonly database: Database
  readonly clock: () => number
  /** Called after each change, which resolves once this does. */
  readonly onChanged?: () => Promise<unknown>
}

export type ApiKeyAdministration = ReturnType<typeof createApiKeyAdministration>

/**
 * Manages the API keys of one database, for REST and the command line. Every method throws StoreUnavailable and, where
 * there is no key that it can be done to, CodedError `not_found`; those that write also throw like CommandHandler.
 */
export function createApiKeyAdministration({ database, clock, onChanged }: AdministrationOptions) {
  const lastUses = database.latestTimes(LAST_USES)
  const view = database.view(apiKeysView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })

  /** `uses`: last uses by key id. */
  async function done(outcome: Promise<CommandOutcome<ApiKey, ApiKeyRejection>>, uses?: ReadonlyMap<string, number>) {
    const { state } = doneOrThrow(await outcome, REJECTIONS)
    await onChanged?.()
    return toDetails(state, uses)
  }

  return {
    async create({ name, scopes, expiresAt, person }: NewApiKey, context: CommandContext): Promise<IssuedKey> {
      const secret = generateSecret()
      const sha256 = hashSecret(secret)
      const created = handler.create(async () => {
        const id = newUuid()
        const data = { id, name, scopes, sha256, expiresAt, ...(person !== undefined && { person }) }
        return { id, command: async () => (at) => ({ type: 'create', data, at }) }
      }, context)
      return { apiKey: await done(created), secret }
    },
    /** Issues a new secret under the same id, so that past events and Idempotency-Keys still belong to the key. */
    async rotate({ id, graceSeconds }: Rotation, context: CommandContext): Promise<IssuedKey> {
      // Read before writing: nothing may fail between the commit and the only display of the secret.
      const uses = await lastUses.read([id])
      const secret = generateSecret()
      const sha256 = hashSecret(secret)
      const command = () => ({ type: 'rotate', sha256, graceSeconds, at: clock() }) as const
      return { apiKey: await done(handler.change({ id, command }, context), uses), secret }
    },
    /** Revokes a key for good; revoking it again changes nothing. */
    async revoke(id: string, context: CommandContext): Promise<void> {
      await done(handler.change({ id, command: () => ({ type: 'revoke' }) }, context))
    },
    /** Newest first, including revoked and expired keys. */
    async list({ limit, offset }: Pick<ListQuery, 'limit' | 'offset'>) {
      const { rows, total } = await view.list({ where: {}, search: '', limit, offset })
      const uses = await lastUses.read(rows.map(({ id }) => id))
      return { apiKeys: rows.map(({ state }) => toDetails(state, uses)), total }
    },
    /** The latest name of a principal; null: there is no such principal. */
    async nameOf(principal: string): Promise<string | null> {
      const { rows } = await view.list({ where: { principal }, search: '', limit: 1, offset: 0 })
      return rows[0]?.state.name ?? nameOfUnstored(principal)
    },
    async find(id: string): Promise<ApiKeyDetails> {
      const [row, uses] = await Promise.all([view.get(id), lastUses.read([id])])
      if (row === undefined) throw errorOf<ApiKeyRejection>({ type: 'not-found' }, REJECTIONS)
      return toDetails(row.state, uses)
    },
  }
}

function toDetails({ secrets: _, ...apiKey }: ApiKey, uses?: ReadonlyMap<string, number>): ApiKeyDetails {
  return { ...apiKey, lastUsedAt: uses?.get(apiKey.id) ?? null }
}
