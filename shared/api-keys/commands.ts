import type { CommandContext } from '../event-sourcing/command-context.ts'
import { createCommandHandler } from '../event-sourcing/command-handler.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { CommandOutcome } from '../event-sourcing/rejections.ts'
import { type ApiKeyRejection, decide } from './decide.ts'
import { type ApiKey, evolve } from './evolve.ts'
import type { Scope } from './scopes.ts'
import { apiKeysView } from './view.ts'

export interface ApiKeyCommandsOptions {
  /** Opened with `apiKeyViews`. */
  readonly database: Database
  readonly clock: () => number
  readonly newId: () => string
}

export type ApiKeyOutcome = CommandOutcome<ApiKey, ApiKeyRejection>

/** What a new key may be used for, and until when. */
export interface NewApiKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** In milliseconds since the epoch; null: it doesn't expire. */
  readonly expiresAt: number | null
}

export interface Rotation {
  readonly id: string
  /** How long earlier secrets remain valid. */
  readonly graceSeconds: number
}

/** `sha256`: hash of the new secret, in hexadecimal. All methods throw like CommandHandler. */
export function createApiKeyCommands({ database, clock, newId }: ApiKeyCommandsOptions) {
  const view = database.view(apiKeysView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })
  return {
    create({ name, scopes, expiresAt }: NewApiKey, sha256: string, context: CommandContext): Promise<ApiKeyOutcome> {
      return handler.create(async () => {
        const id = newId()
        const data = { id, name, scopes, sha256, expiresAt }
        return { id, command: async () => (at) => ({ type: 'create', data, at }) }
      }, context)
    },
    rotate({ id, graceSeconds }: Rotation, sha256: string, context: CommandContext): Promise<ApiKeyOutcome> {
      const command = () => ({ type: 'rotate', sha256, graceSeconds, at: clock() }) as const
      return handler.change({ id, command }, context)
    },
    revoke(id: string, context: CommandContext): Promise<ApiKeyOutcome> {
      return handler.change({ id, command: () => ({ type: 'revoke' }) }, context)
    },
  }
}
