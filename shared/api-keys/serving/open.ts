import { newRequestId } from '../../calls/ids.ts'
import { toCommandContext } from '../../event-sourcing/command-context.ts'
import type { Database } from '../../event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { type ApiKeyAdministration, createApiKeyAdministration, LAST_USES } from '../administration.ts'
import { SCOPES } from '../scopes.ts'
import { acceptedKeys, type ConfiguredApiKey } from './accepted-keys.ts'
import { createLastUses } from './last-uses.ts'
import { followStoredKeys } from './stored-keys.ts'

export interface OpenKeysOptions {
  /** Opened with `apiKeyViews`. An error while opening ends the process. */
  readonly opening: Promise<Database>
  readonly configured: () => ConfiguredApiKey | undefined
  readonly clock: () => number
  readonly logger: Logger
}

export type OpenKeys = ReturnType<typeof openKeys>

/**
 * The configured key and those in the gateway's database: finds them, records their use, and manages them. Until the
 * database is open, there are no stored keys, and everything else throws StoreUnavailable.
 */
export function openKeys({ opening, configured, clock, logger }: OpenKeysOptions) {
  let opened: ReturnType<typeof openOn> | undefined
  void opening.then((database) => {
    opened = openOn(database)
  })

  function openOn(database: Database) {
    const uses = createLastUses({ lastUses: database.latestTimes(LAST_USES), logger })
    const onUse = (id: string): unknown => uses.note(id, clock())
    const stored = followStoredKeys({ events: database.events, clock, onUse, logger })
    // A failure doesn't matter: the follower reads the change soon anyway.
    const onChanged = () => stored.catchUp().catch(() => undefined)
    return { database, uses, stored, administration: createApiKeyAdministration({ database, clock, onChanged }) }
  }

  const whenOpen = () => {
    if (opened === undefined) throw new StoreUnavailable('the API keys are not open yet')
    return opened
  }

  /** Stores when keys were last used. */
  async function stop(): Promise<void> {
    await Promise.all([opened?.stored.stop(), opened?.uses.stop()])
  }

  return {
    apiKeys: acceptedKeys(configured, () => opened?.stored),
    database: () => whenOpen().database,
    /** Changes take effect in this process when the method resolves, and in others soon after. */
    administration: () => whenOpen().administration,
    /** Throws StoreUnavailable when the keys can't be read now. */
    check: async () => await whenOpen().stored.catchUp(),
    stop,
    async close(): Promise<void> {
      await stop()
      await opened?.database.close()
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
