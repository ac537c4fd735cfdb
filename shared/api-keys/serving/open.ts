import type { Database } from '../../event-sourcing/ports/database.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { createApiKeyAdministration } from '../administration.ts'
import { LAST_USES } from '../details.ts'
import type { Caller, StoredApiKeys } from './api-keys.ts'
import { createLastUses } from './last-uses.ts'
import { followStoredKeys } from './stored-keys.ts'

export interface OpenKeysOptions {
  /** Opened with `apiKeyViews`; stays open. */
  readonly database: Database
  readonly clock: () => number
  readonly newId: () => string
  readonly logger: Logger
}

/** What a gateway needs of the keys in its database. */
export type OpenKeys = ReturnType<typeof openKeys>

/** Follows the keys in the gateway's database, notes their use, and looks after them. */
export function openKeys({ database, clock, newId, logger }: OpenKeysOptions) {
  const stored = followStoredKeys({ events: database.events, clock, logger })
  const uses = createLastUses({ lastUses: database.latestTimes(LAST_USES), logger })
  const administration = createApiKeyAdministration({ database, clock, newId })

  const noting = (caller: Caller | undefined): Caller | undefined => {
    if (caller !== undefined) uses.note(caller.id, clock())
    return caller
  }

  const taken =
    <Asked extends unknown[], Done>(change: (...asked: Asked) => Promise<Done>) =>
    async (...asked: Asked): Promise<Done> => {
      const done = await change(...asked)
      // Whatever becomes of this look: without it the follower finds the change soon enough.
      await stored.catchUp().catch(() => undefined)
      return done
    }

  return {
    stored: {
      known: (sha256: string) => noting(stored.known(sha256)),
      holder: (sha256: string) => noting(stored.holder(sha256)),
      find: async (sha256: string) => noting(await stored.find(sha256)),
      nameOf: stored.nameOf,
    } satisfies StoredApiKeys,
    /** What it has done holds in this gateway when it answers, and in all others soon after. */
    administration: {
      ...administration,
      create: taken(administration.create),
      rotate: taken(administration.rotate),
      revoke: taken(administration.revoke),
    },
    /** Throws StoreUnavailable when the keys can't be read now. */
    check: stored.catchUp,
    /** Keeps when keys were last used; the database can be closed then. */
    async stop() {
      await Promise.all([stored.stop(), uses.stop()])
    },
  }
}
