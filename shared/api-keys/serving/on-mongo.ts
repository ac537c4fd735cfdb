import type { MongoUrl } from '../../adapters/mongo/connection/connection.ts'
import { openMongoDatabase } from '../../adapters/mongo/database.ts'
import type { Database } from '../../event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { openMeasured } from '../../runtime/metrics/database-metrics.ts'
import type { Metrics } from '../../runtime/metrics/metrics.ts'
import { untilReachable } from '../../runtime/process/readiness.ts'
import { gatewayViews } from '../../webhooks/view.ts'
import { apiKeyViews } from '../view.ts'
import { acceptedKeys, type ConfiguredApiKey } from './accepted-keys.ts'
import { type OpenKeys, type OpenKeysOptions, openKeys } from './open.ts'

export interface KeysOnMongoOptions {
  readonly mongoUrl: string | MongoUrl
  readonly namespace: string
  readonly viewsFolder: string
  /** The configured key's secret. */
  readonly apiKey: string | undefined
}

/** The gateway's keys on MongoDB, once it can be reached; until then only the configured key is known. */
export function openKeysOnMongo(
  { mongoUrl: url, namespace, viewsFolder, apiKey }: KeysOnMongoOptions,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
) {
  const mongo = {
    url,
    name: `${namespace}_gateway`,
    views: gatewayViews,
    viewsFolder,
    buildsViews: 'at-start',
  } as const
  const opening = openMeasured(metrics, {
    service: 'gateway',
    views: gatewayViews,
    open: (onBatch) => untilReachable(() => openMongoDatabase({ ...mongo, onBatch }), { what: 'MongoDB', logger }),
  })
  return openKeysLater(opening, { clock: Date.now, logger }, (keys) => {
    if (apiKey === undefined) void warnWithoutKeys(keys, logger)
  })
}

/** The same keys for a service, which only authenticates callers: it follows the keys and records their use. */
export function followKeysOnMongo(
  { mongoUrl: url, namespace }: Pick<KeysOnMongoOptions, 'mongoUrl' | 'namespace'>,
  configured: () => ConfiguredApiKey | undefined,
  logger: Logger,
) {
  // No view is read, so none is built.
  const open = () => openMongoDatabase({ url, name: `${namespace}_gateway`, views: apiKeyViews })
  const opening = untilReachable(open, { what: 'the API keys on MongoDB', logger })
  const { stored, stop } = openKeysLater(opening, { clock: Date.now, logger })
  return { apiKeys: acceptedKeys(configured, stored), stop }
}

async function warnWithoutKeys({ administration }: OpenKeys, logger: Logger): Promise<void> {
  const { total } = await administration.list({ limit: 1, offset: 0 }).catch(() => ({ total: undefined }))
  if (total === 0) logger.warn('there is no API key: create one with `cli/mint keys create`, or set MINT_API_KEY')
}

/**
 * Keys in a database that is still being opened, so that a gateway can answer from its start. Until it is open there
 * are no stored keys, and everything else throws StoreUnavailable. An error while opening ends the process.
 */
export function openKeysLater(
  opening: Promise<Database>,
  options: Omit<OpenKeysOptions, 'database'>,
  onOpened: (keys: OpenKeys) => void = () => undefined,
) {
  let opened: { readonly database: Database; readonly keys: OpenKeys } | undefined
  void opening.then((database) => {
    opened = { database, keys: openKeys({ database, ...options }) }
    onOpened(opened.keys)
  })
  const whenOpen = () => {
    if (opened === undefined) throw new StoreUnavailable('the API keys are not open yet')
    return opened
  }
  return {
    opening,
    stored: () => opened?.keys.stored,
    database: () => whenOpen().database,
    administration: () => whenOpen().keys.administration,
    check: async () => await whenOpen().keys.check(),
    /** Closes the database too. */
    async stop() {
      await opened?.keys.stop()
      await opened?.database.close()
    },
  }
}
