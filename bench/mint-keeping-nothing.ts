// Mint's way of a POST, all but metrics, with persistence replaced by nothing: the difference to it is what durability
// costs.

import { createBusinessesApp } from '../services/businesses/service.ts'
import { createContractsApp } from '../services/contracts/service.ts'
import { acceptedKeys, configuredKey } from '../shared/api-keys/serving/accepted-keys.ts'
import { newUuid } from '../shared/calls/ids.ts'
import { BEGINNING, type Position } from '../shared/event-sourcing/event.ts'
import type { Database } from '../shared/event-sourcing/ports/database.ts'
import type { Commit } from '../shared/event-sourcing/ports/event-store.ts'
import type { AnyViewDefinition } from '../shared/event-sourcing/ports/view.ts'
import { createLogger } from '../shared/runtime/log/logger.ts'
import { startGateway } from '../tests/support/gateway-fixture.ts'
import { BENCH_KEY } from './mint.ts'

const nothing = (): Database => {
  let position = 0
  const absent = async () => undefined
  return {
    events: {
      append: async ({ expectedVersion, events }: Commit) => {
        position += events.length
        return { type: 'appended', version: expectedVersion + events.length, position: position as Position }
      },
      readStream: async () => [],
      readAll: async () => [],
      findCommit: absent,
      head: async () => BEGINNING,
      onAppended: () => () => undefined,
    },
    view: (definition: AnyViewDefinition) => ({
      definition,
      get: absent,
      snapshot: absent,
      list: async () => ({ rows: [], total: 0 }),
      checkpoint: async () => BEGINNING,
      rebuild: absent,
      ledger: { latest: async () => 0 },
    }),
    latestTimes: () => ({ read: async () => new Map() }),
    sequence: () => {
      let last = 0
      return { next: async () => ++last }
    },
  } as unknown as Database
}

const logger = createLogger({ name: 'mint', level: 'info' })
const common = { clock: Date.now, logger }
const { businesses, status: businessesStatus } = createBusinessesApp({ database: nothing(), newId: newUuid, ...common })
const { status: contractsStatus, ...ofContracts } = createContractsApp({
  database: nothing(),
  businesses,
  requireKnownClient: false,
  ...common,
})
const { port } = await startGateway(
  { ...ofContracts, businesses, contractsStatus, businessesStatus },
  {
    apiKeys: acceptedKeys(
      () => configuredKey(BENCH_KEY),
      () => undefined,
    ),
    logger,
  },
)
console.log(`ready on http://127.0.0.1:${port}`)
