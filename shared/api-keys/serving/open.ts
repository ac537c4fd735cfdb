import { newRequestId } from '../../calls/ids.ts'
import { toCommandContext } from '../../event-sourcing/command-context.ts'
import type { Database } from '../../event-sourcing/ports/database.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { type ApiKeyAdministration, createApiKeyAdministration, LAST_USES } from '../administration.ts'
import { SCOPES } from '../scopes.ts'
import type { Caller, StoredApiKeys } from './api-keys.ts'
import { createLastUses } from './last-uses.ts'
import { followStoredKeys } from './stored-keys.ts'

export interface OpenKeysOptions {
  /** Opened with `apiKeyViews`; stays open. */
  readonly database: Database
  readonly clock: () => number
  readonly logger: Logger
}

export type OpenKeys = ReturnType<typeof openKeys>

/** Follows the keys in the gateway's database, records their use, and manages them. */
export function openKeys({ database, clock, logger }: OpenKeysOptions) {
  const stored = followStoredKeys({ events: database.events, clock, logger })
  const uses = createLastUses({ lastUses: database.latestTimes(LAST_USES), logger })
  const administration = createApiKeyAdministration({ database, clock })

  const recordingUse = (caller: Caller | undefined): Caller | undefined => {
    if (caller !== undefined) uses.note(caller.id, clock())
    return caller
  }

  const thenCatchUp =
    <Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await change(...args)
      // A failure doesn't matter: the follower reads the change soon anyway.
      await stored.catchUp().catch(() => undefined)
      return result
    }

  return {
    stored: {
      known: (sha256: string) => recordingUse(stored.known(sha256)),
      holder: (sha256: string) => recordingUse(stored.holder(sha256)),
      find: async (sha256: string) => recordingUse(await stored.find(sha256)),
      nameOf: stored.nameOf,
    } satisfies StoredApiKeys,
    /** Changes take effect in this gateway when the method resolves, and in others soon after. */
    administration: {
      ...administration,
      create: thenCatchUp(administration.create),
      rotate: thenCatchUp(administration.rotate),
      revoke: thenCatchUp(administration.revoke),
    },
    /** Throws StoreUnavailable when the keys can't be read now. */
    check: stored.catchUp,
    /** Stores when keys were last used; the database can be closed afterwards. */
    async stop() {
      await Promise.all([stored.stop(), uses.stop()])
    },
  }
}

/** Creates a key with all scopes if there has never been a key, and returns its secret; otherwise undefined. */
export async function createFirstKey(administration: ApiKeyAdministration): Promise<string | undefined> {
  const { total } = await administration.list({ limit: 1, offset: 0 })
  if (total > 0) return undefined
  const context = toCommandContext({ actor: 'mint', requestId: newRequestId() })
  return (await administration.create({ name: 'first', scopes: SCOPES, expiresAt: null }, context)).secret
}
