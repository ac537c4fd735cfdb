import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { openKeys } from '../../shared/api-keys/serving/open.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'
import { emptyServices } from './empty-services.ts'
import { startGateway, TEST_KEY } from './gateway-fixture.ts'
import { quietLogger } from './quiet-logger.ts'
import { restClient } from './rest.ts'

interface KeysOptions {
  readonly clock?: () => number
  readonly patience?: number
  readonly services?: CalledServices
  readonly rateLimitPerSecond?: number
}

/**
 * `clock`: the keys' clock; `patience`: a write's timeout, in milliseconds. `call` uses the configured key, which has
 * all scopes. The database stays open.
 */
export async function startKeysGateway(
  database: Database,
  { clock = Date.now, patience = 5_000, services = emptyServices, rateLimitPerSecond = 1_000_000 }: KeysOptions = {},
) {
  const opening = Promise.resolve(database)
  const keys = openKeys({ opening, configured: () => configuredKey(TEST_KEY), clock, logger: quietLogger() })
  const gateway = await startGateway(services, {
    apiKeys: keys.apiKeys,
    keyAdministration: keys.administration,
    timeouts: { service: patience },
    rateLimitPerSecond,
  })
  return {
    keys,
    call: gateway.call,
    /** A caller with a secret. */
    as: (secret: string) => restClient({ url: `http://127.0.0.1:${gateway.port}`, key: secret }),
    async stop() {
      await gateway.stop()
      await keys.stop()
    },
  }
}

/** A gateway with a database of keys, in front of services without records unless others are given. */
export type KeysGateway = Awaited<ReturnType<typeof startKeysGateway>>
