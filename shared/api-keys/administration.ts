import type { CommandContext } from '../event-sourcing/command-context.ts'
import type { ListQuery } from '../event-sourcing/ports/view.ts'
import {
  type ApiKeyCommandsOptions,
  type ApiKeyOutcome,
  createApiKeyCommands,
  type NewApiKey,
  type Rotation,
} from './commands.ts'
import type { ApiKeyRejection } from './decide.ts'
import { type ApiKeyDetails, LAST_USES, toDetails } from './details.ts'
import { generateSecret, hashSecret } from './secret.ts'
import { apiKeysView } from './view.ts'

/** A key with its new secret, which is stored nowhere and shown only once. */
export interface Issued {
  readonly type: 'issued'
  readonly apiKey: ApiKeyDetails
  readonly secret: string
}

export interface Refused {
  readonly type: 'refused'
  readonly refusal: ApiKeyRejection['type']
}

/** The message for the person whose request was refused. */
export const REFUSALS: Readonly<Record<ApiKeyRejection['type'], string>> = {
  'not-found': 'There is no API key with this id. Check the id. To replace the configured key, change MINT_API_KEY.',
  revoked: 'This API key was revoked for good. Create a new one.',
  expired: 'This API key has expired; a new secret would not change that. Create a new one.',
  'expiry-past': 'This time is in the past. Choose one in the future.',
}

export type ApiKeyAdministration = ReturnType<typeof createApiKeyAdministration>

/**
 * Manages the API keys of one database, for REST and the command line. Every method throws StoreUnavailable; those that
 * write also throw like CommandHandler.
 */
export function createApiKeyAdministration(options: ApiKeyCommandsOptions) {
  const commands = createApiKeyCommands(options)
  const lastUses = options.database.latestTimes(LAST_USES)
  const view = options.database.view(apiKeysView)

  async function issued(
    outcomeWith: (sha256: string) => Promise<ApiKeyOutcome>,
    uses: ReadonlyMap<string, number> = new Map(),
  ): Promise<Issued | Refused> {
    const secret = generateSecret()
    const outcome = await outcomeWith(hashSecret(secret))
    return outcome.type === 'done'
      ? { type: 'issued', apiKey: toDetails(outcome.state, uses), secret }
      : refused(outcome)
  }

  return {
    create: (apiKey: NewApiKey, context: CommandContext) =>
      issued((sha256) => commands.create(apiKey, sha256, context)),
    /** Issues a new secret under the same id, so that past events and remembered answers still belong to the key. */
    async rotate(rotation: Rotation, context: CommandContext): Promise<Issued | Refused> {
      // Read before writing: nothing may fail between the commit and the only display of the secret.
      const uses = await lastUses.read([rotation.id])
      return await issued((sha256) => commands.rotate(rotation, sha256, context), uses)
    },
    /** Revokes a key for good; revoking it again changes nothing. */
    async revoke(id: string, context: CommandContext) {
      const uses = await lastUses.read([id])
      const outcome = await commands.revoke(id, context)
      if (outcome.type !== 'done') return refused(outcome)
      return { type: 'revoked', apiKey: toDetails(outcome.state, uses) } as const
    },
    /** Newest first, including revoked and expired keys. */
    async list({ limit, offset }: Pick<ListQuery, 'limit' | 'offset'>) {
      const { rows, total } = await view.list({ where: {}, search: '', limit, offset })
      const uses = await lastUses.read(rows.map(({ id }) => id))
      return { apiKeys: rows.map(({ state }) => toDetails(state, uses)), total }
    },
    async find(id: string): Promise<ApiKeyDetails | undefined> {
      const [row, uses] = await Promise.all([view.get(id), lastUses.read([id])])
      return row && toDetails(row.state, uses)
    },
  }
}

function refused(outcome: Exclude<ApiKeyOutcome, { type: 'done' }>): Refused {
  if (outcome.type === 'rejected') return { type: 'refused', refusal: outcome.rejection.type }
  throw new Error(`A command on an API key ended with the unexpected outcome ${outcome.type}.`)
}
