import assert from 'node:assert/strict'
import { viewsOf } from '../../cli/admin/parts.ts'
import { openDataFolder } from '../../cli/start/data-folder.ts'
import { servicesOverGrpc, startGrpcServers } from '../../cli/start/grpc.ts'
import { startServices } from '../../cli/start/services.ts'
import { createGateway, type GatewayOptions } from '../../gateway/app.ts'
import { createContractsApp } from '../../services/contracts/service.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import type { ApiKeys } from '../../shared/api-keys/serving/api-keys.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'
import { createStatusService } from '../../shared/operations/status-service.ts'
import { emptyServices } from './empty-services.ts'
import { TEST_KEY, testAccess, testSecrets } from './grpc-access.ts'
import { quietLogger } from './quiet-logger.ts'
import { type Rest, restClient } from './rest.ts'
import { staticApiKeys } from './static-api-keys.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { TEST_KEY, TEST_KEY_ID } from './grpc-access.ts'

/** How the gateway reaches the services. */
export type Transport = 'direct' | 'grpc'

/** A gateway alone, on a free port, in front of the given services. */
export async function startGateway(
  services: CalledServices,
  options: Partial<Omit<GatewayOptions, keyof CalledServices>> = {},
) {
  const apiKeys: ApiKeys = staticApiKeys([configuredKey(TEST_KEY)])
  const standard = {
    apiKeys,
    budget: createBudget(),
    gatewayStatus: emptyServices.contractsStatus,
    keyAdministration: () => assert.fail('this gateway has no keys of its own'),
    webhooks: () => assert.fail('this gateway has no webhooks of its own'),
    webhooksByHttp: false,
    readiness: async () => ({ ready: true, missing: [] }),
    rateLimitPerSecond: 1_000_000,
    publicRateLimitPerSecond: 1_000_000,
    trustedProxies: [],
    maxConnections: 1_024,
    pageHosts: [],
    clock: Date.now,
    logger: quietLogger(),
  }
  const gateway = createGateway({ ...services, ...standard, ...options })
  const port = await gateway.listen('127.0.0.1', 0)
  return {
    port,
    /** Calls with the test's key unless the headers say otherwise. */
    call: restClient({ url: `http://127.0.0.1:${port}`, key: TEST_KEY }),
    /** Stops it as a signal does, after it has continued serving for this many milliseconds. */
    drain: (drainMilliseconds: number) => gateway.stop({ drainMilliseconds, graceMilliseconds: 8_000 }),
    stop: () => gateway.stop({ drainMilliseconds: 0, graceMilliseconds: 1_000 }),
  }
}

export type GatewayUnderTest = Awaited<ReturnType<typeof startGateway>>

/** The gateway with both services behind it, on SQLite in a temporary folder, over one of the transports. */
export async function startWholeMint(transport: Transport, options: Partial<Pick<GatewayOptions, 'apiKeys'>> = {}) {
  const folder = temporaryFolder()
  const logger = quietLogger()
  const { apiKeys = staticApiKeys([configuredKey(TEST_KEY)]) } = options
  const data = await openDataFolder(folder.path)
  const common = { clock: Date.now, requireKnownClient: false, logger }
  const services = await startServices({ ...common, data, nameOf: apiKeys.nameOf })
  const { businesses, businessesRelay } = services
  const { handleBusinessEvents: handle } = createContractsApp({
    ...common,
    database: data.contracts,
    businesses,
    businessesRelay,
  })
  const stops = [() => folder.remove(), () => data.close(), () => services.stop()]
  let behind: CalledServices = services
  if (transport === 'grpc') {
    const atEnd = (stop: () => Promise<void>) => stops.push(stop)
    const places = { grpcHost: '127.0.0.1', contractsPort: 0, businessesPort: 0 }
    const serving = { access: testAccess, budget: createBudget(), logger, graceMilliseconds: () => 8_000, atEnd }
    const addresses = await startGrpcServers(services.parts, places, serving)
    behind = servicesOverGrpc(addresses, { secrets: testSecrets, atEnd })
  }
  const ofGateway = { database: () => data.gateway, views: viewsOf.gateway, clock: Date.now, logger }
  const gateway = await startGateway(behind, { gatewayStatus: createStatusService(ofGateway), ...options })
  stops.push(() => gateway.stop())
  return {
    ...gateway,
    /** Handles messages as the contracts service does. */
    handle,
    async stop() {
      for (const stop of stops.reverse()) await stop()
    },
  }
}

type WholeMint = Awaited<ReturnType<typeof startWholeMint>>
type Suite = (call: Rest, mint: () => WholeMint) => void
type SuiteOptions = Partial<Pick<GatewayOptions, 'apiKeys'>>

/** Registers a suite once per transport; during its tests `call` calls the gateway, and `mint` returns the fixture. */
export function overEachTransport(title: string, suite: Suite, options?: SuiteOptions): void {
  for (const transport of ['direct', 'grpc'] as const) overTransport(transport, title, suite, options)
}

/** Registers a suite on one transport, for what the gateway decides in the same way on each. */
export function overTransport(transport: Transport, title: string, suite: Suite, options: SuiteOptions = {}): void {
  describe(`${title} (${transport})`, () => {
    let running: WholeMint | undefined
    before(async () => {
      running = await startWholeMint(transport, options)
    })
    after(() => running?.stop())
    const mint = () => running ?? assert.fail('the gateway runs only while tests do')
    suite((...request) => mint().call(...request), mint)
  })
}
