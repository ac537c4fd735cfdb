import type { MongoUrl } from '../../adapters/mongo/connection/connection.ts'
import { openMongoDatabase } from '../../adapters/mongo/database.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { openMeasured } from '../../runtime/metrics/database-metrics.ts'
import type { Metrics } from '../../runtime/metrics/metrics.ts'
import { exitWhenSetBack } from '../../runtime/process/lifecycle.ts'
import { untilReachable } from '../../runtime/process/readiness.ts'
import { gatewayViews } from '../../webhooks/view.ts'
import { apiKeyViews } from '../view.ts'
import type { ConfiguredApiKey } from './accepted-keys.ts'
import { type OpenKeys, openKeys } from './open.ts'

export interface KeysOnMongoOptions {
  readonly mongoUrl: string | MongoUrl
  readonly namespace: string
  readonly viewsFolder: string
  readonly configured: () => ConfiguredApiKey | undefined
}

/** The gateway's keys on MongoDB, once it can be reached; until then only the configured key is known. */
export function openKeysOnMongo(
  { mongoUrl: url, namespace, viewsFolder, configured }: KeysOnMongoOptions,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
) {
  const mongo = {
    url,
    name: `${namespace}_gateway`,
    views: gatewayViews,
    viewsFolder,
    buildsViews: 'at-start',
    onSetBack: exitWhenSetBack(logger, `${namespace}_gateway`),
  } as const
  const opening = openMeasured(metrics, {
    service: 'gateway',
    views: gatewayViews,
    open: (onBatch) => untilReachable(() => openMongoDatabase({ ...mongo, onBatch }), { what: 'MongoDB', logger }),
  })
  const keys = openKeys({ opening, configured, clock: Date.now, logger })
  void opening.then(async () => {
    if (configured() === undefined) await warnWithoutKeys(keys, logger)
  })
  return { ...keys, opening }
}

/** The same keys for a service, which only authenticates callers: it follows the keys and records their use. */
export function followKeysOnMongo(
  { mongoUrl: url, namespace, viewsFolder, configured }: KeysOnMongoOptions,
  logger: Logger,
) {
  // No view is read, so none is built.
  const open = () => openMongoDatabase({ url, name: `${namespace}_gateway`, views: apiKeyViews, viewsFolder })
  const opening = untilReachable(open, { what: 'the API keys on MongoDB', logger })
  return openKeys({ opening, configured, clock: Date.now, logger })
}

async function warnWithoutKeys({ administration }: OpenKeys, logger: Logger): Promise<void> {
  const { total } = await administration()
    .list({ limit: 1, offset: 0 })
    .catch(() => ({ total: undefined }))
  if (total === 0) logger.warn('there is no API key: create one with `cli/mint keys create`, or set MINT_API_KEY')
}
